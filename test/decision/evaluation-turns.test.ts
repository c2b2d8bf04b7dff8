// Sixteen evaluations of one container at once; the next one waits in order, and for its own container alone.
import { expect, test } from "bun:test";
import { CONTAINER_EVALUATIONS_LIMIT, EvaluationTurns } from "../../src/decision/evaluation-turns.ts";

const NEVER = new AbortController().signal;

/** Work that is begun in order and ends when told to. */
function begin(turns: EvaluationTurns, requester: string, count: number, signal = NEVER) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const results = Array.from({ length: count }, (_, index) =>
    turns.run(requester, signal, () => {
      begun.push(index);
      return new Promise<number>((resolve) => void (ends[index] = () => resolve(index)));
    }));
  return { begun, ends, results };
}

test("the seventeenth waits, in order, and another container does not", async () => {
  expect(CONTAINER_EVALUATIONS_LIMIT).toBe(16);
  const turns = new EvaluationTurns();
  const { begun, ends, results } = begin(turns, "a", 18);
  const other = begin(turns, "b", 1);
  await Promise.resolve();
  expect(begun).toEqual(Array.from({ length: 16 }, (_, index) => index));
  expect(other.begun).toEqual([0]);
  expect(turns.waiting("a")).toBe(2);
  ends[7]?.();
  expect(await results[7]).toBe(7);
  ends[3]?.();
  expect(await results[3]).toBe(3);
  expect(begun.slice(16)).toEqual([16, 17]);
  expect(turns.waiting("a")).toBe(0);
});

test("who gives up while waiting leaves nothing behind", async () => {
  const turns = new EvaluationTurns();
  const { begun, ends, results } = begin(turns, "a", 16);
  const giveUp = new AbortController();
  const late = begin(turns, "a", 1, giveUp.signal);
  giveUp.abort();
  expect(await Promise.all(late.results)).toEqual([null]);
  expect(late.begun).toEqual([]);
  for (const end of ends) end();
  await Promise.all(results);
  expect(begun).toHaveLength(16);
  // All places are free again.
  const next = begin(turns, "a", 16);
  await Promise.resolve();
  expect(next.begun).toHaveLength(16);
});

test("work that throws gives its place back", async () => {
  const turns = new EvaluationTurns();
  for (let round = 0; round < 17; round++) {
    await expect(turns.run("a", NEVER, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  }
  expect(await turns.run("a", NEVER, () => Promise.resolve(1))).toBe(1);
});
