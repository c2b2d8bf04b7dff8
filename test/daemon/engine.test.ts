// What is asked of the engine: under Bun it is done, and under any other runtime nothing is.
import { expect, test } from "bun:test";
import { collectGarbage, compileAsUsual } from "../../src/daemon/engine.ts";

test("collectGarbage gives garbage back at once", () => {
  const sizeBytes = 64 * 1024 * 1024;
  fill(sizeBytes);
  const before = process.memoryUsage().heapUsed;
  collectGarbage();
  expect(before - process.memoryUsage().heapUsed).toBeGreaterThan(sizeBytes / 2);
});

// In a frame of its own, so that nothing of it is still on the stack.
function fill(sizeBytes: number): number {
  const kept: number[][] = [];
  for (let filled = 0; filled < sizeBytes; filled += 8_000) kept.push(Array.from({ length: 1_000 }, () => 0.5));
  return kept.length;
}

test("code is compiled as usual however often that is asked", () => {
  expect([compileAsUsual(), compileAsUsual()]).toEqual([undefined, undefined]);
});
