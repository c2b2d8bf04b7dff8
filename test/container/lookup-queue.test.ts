import { describe, expect, test } from "bun:test";
import {
  LookupQueue,
  LOOKUPS_AT_ONCE,
  LOOKUPS_WAITING,
  PLACE_LOOKUPS_AT_ONCE,
  PLACE_LOOKUPS_WAITING,
} from "../../src/container/lookup-queue.ts";

// A queue whose tasks run until the test ends them, and the order in which they began.
class Bench {
  readonly queue = new LookupQueue();
  readonly begun: string[] = [];
  readonly done: Promise<unknown>[] = [];
  readonly #ends: (() => void)[] = [];

  add(place: string, count = 1): readonly boolean[] {
    return Array.from({ length: count }, () => {
      const turn = this.queue.run(place, () => {
        this.begun.push(place);
        return new Promise<void>((resolve) => this.#ends.push(resolve));
      });
      if (turn !== undefined) this.done.push(turn);
      return turn !== undefined;
    });
  }

  // Ends the task that began first of those that run, and lets those that follow it begin.
  async endOne(): Promise<void> {
    this.#ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async endAll(): Promise<void> {
    while (this.#ends.length > 0) await this.endOne();
    await Promise.all(this.done);
  }
}

describe("LookupQueue", () => {
  test("runs so many of one place, lets so many wait, and refuses one more", async () => {
    const bench = new Bench();
    const room = PLACE_LOOKUPS_AT_ONCE + PLACE_LOOKUPS_WAITING;
    expect(bench.add("a", room + 1)).toEqual([...Array.from({ length: room }, () => true), false]);
    expect(bench.begun).toHaveLength(PLACE_LOOKUPS_AT_ONCE);
    await bench.endOne();
    expect(bench.begun).toHaveLength(PLACE_LOOKUPS_AT_ONCE + 1);
    expect(bench.add("a", 2)).toEqual([true, false]);
    await bench.endAll();
    expect(bench.begun).toHaveLength(room + 1);
  });

  test("runs so many in all, whatever their places", async () => {
    const bench = new Bench();
    for (let place = 0; place < LOOKUPS_AT_ONCE + 1; place++) bench.add(String(place));
    expect(bench.begun).toHaveLength(LOOKUPS_AT_ONCE);
    await bench.endOne();
    expect(bench.begun).toHaveLength(LOOKUPS_AT_ONCE + 1);
    await bench.endAll();
  });

  test("lets so many wait in all, and refuses one more", async () => {
    const bench = new Bench();
    for (let place = 0; place < LOOKUPS_AT_ONCE + LOOKUPS_WAITING; place++) bench.add(String(place));
    expect(bench.add("one more")).toEqual([false]);
    await bench.endAll();
    expect(bench.begun).toHaveLength(LOOKUPS_AT_ONCE + LOOKUPS_WAITING);
  });

  test("a place of which many hang and wait leaves the others their turn at once", async () => {
    const bench = new Bench();
    bench.add("hangs", PLACE_LOOKUPS_AT_ONCE + PLACE_LOOKUPS_WAITING);
    bench.add("other");
    expect(bench.begun.at(-1)).toBe("other");
    await bench.endAll();
  });

  test("the places take turns, and each keeps its order", async () => {
    const bench = new Bench();
    const places = Array.from({ length: LOOKUPS_AT_ONCE / PLACE_LOOKUPS_AT_ONCE }, (_, index) => `busy-${index}`);
    for (const place of places) bench.add(place, PLACE_LOOKUPS_AT_ONCE);
    bench.add("a", 3);
    bench.add("b", 1);
    bench.add("c", 2);
    for (let count = 0; count < 6; count++) await bench.endOne();
    expect(bench.begun.slice(LOOKUPS_AT_ONCE)).toEqual(["a", "b", "c", "a", "c", "a"]);
    await bench.endAll();
  });

  test("gives what its tasks give, and goes on after one that fails", async () => {
    const queue = new LookupQueue();
    const failed = queue.run("a", () => Promise.reject(new Error("x")));
    await expect(failed).rejects.toThrow("x");
    for (let count = 0; count < 2 * LOOKUPS_AT_ONCE; count++) {
      expect(await queue.run("a", async () => count)).toBe(count);
    }
  });
});
