// IdleCollector collects only in quiet moments, including the first one, and only if there is enough garbage.
import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { GROWTH_BYTES, IdleCollector, QUIET_MS } from "../../src/daemon/idle-collector.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A fake process with 100 MiB and garbage; a collection frees all of the garbage or a given part. */
function start() {
  const rest = 100 * 1024 * 1024;
  const process = { residentBytes: rest + GROWTH_BYTES - 1, collections: 0, givesBack: Infinity };
  const collect = () => {
    process.collections++;
    process.residentBytes = Math.max(rest, process.residentBytes - process.givesBack);
  };
  const idle = new IdleCollector({ collect, residentBytes: () => process.residentBytes });
  return { process, idle, rest };
}

test("nothing is collected before anything has happened", () => {
  const { process } = start();
  jest.advanceTimersByTime(10 * QUIET_MS);
  expect(process.collections).toBe(0);
});

test("the first quiet moment after something happened is used, and no other", () => {
  const { process, idle } = start();
  idle.note();
  jest.advanceTimersByTime(QUIET_MS - 1);
  expect(process.collections).toBe(0);
  jest.advanceTimersByTime(1 + QUIET_MS);
  expect(process.collections).toBe(1);
  jest.advanceTimersByTime(10 * QUIET_MS);
  expect(process.collections).toBe(1);
});

test("while something happens in every moment nothing is collected", () => {
  const { process, idle } = start();
  for (let moments = 0; moments < 10; moments++) {
    idle.note();
    jest.advanceTimersByTime(QUIET_MS - 1);
  }
  expect(process.collections).toBe(0);
  jest.advanceTimersByTime(2 * QUIET_MS);
  expect(process.collections).toBe(1);
});

test("a further collection happens after memory has grown by the limit, not one byte earlier", () => {
  const { process, idle, rest } = start();
  idle.note();
  jest.advanceTimersByTime(2 * QUIET_MS);
  process.givesBack = 0;
  for (const [grownBytes, collections] of [[GROWTH_BYTES - 1, 1], [GROWTH_BYTES, 2]] as const) {
    process.residentBytes = rest + grownBytes;
    idle.note();
    jest.advanceTimersByTime(2 * QUIET_MS);
    expect({ grownBytes, collections: process.collections }).toEqual({ grownBytes, collections });
  }
});

test("a collection that gives much back is followed by another, in the next quiet moment", () => {
  const { process, idle, rest } = start();
  process.residentBytes = rest + 3 * GROWTH_BYTES;
  process.givesBack = GROWTH_BYTES;
  idle.note();
  for (const collections of [1, 2, 3, 4, 4]) {
    jest.advanceTimersByTime(QUIET_MS);
    expect(process.collections).toBe(collections);
  }
});

test("work that is noted is done as ever", () => {
  const { process, idle } = start();
  expect(idle.noting((count: number) => count + 1)(1)).toBe(2);
  jest.advanceTimersByTime(2 * QUIET_MS);
  expect(process.collections).toBe(1);
});

test("nothing is collected after it was closed", () => {
  const { process, idle } = start();
  idle.note();
  idle.close();
  jest.advanceTimersByTime(10 * QUIET_MS);
  expect(process.collections).toBe(0);
});
