// The runtime settings that the daemon requests: set under Bun, ignored under any other runtime.
import { expect, test } from "bun:test";
import { collectGarbage, compileAsUsual } from "../../src/daemon/engine.ts";

const COUNT = 1_000;

test("collectGarbage gives garbage back at once", async () => {
  const references = makeGarbage();
  // The target of a WeakRef stays alive until the turn ends.
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  // A few may still be on the stack, which the collector scans conservatively.
  expect(references.filter((reference) => reference.deref() !== undefined).length).toBeLessThan(COUNT / 10);
});

// In a function of its own, so that its frame is gone from the stack.
function makeGarbage(): readonly WeakRef<object>[] {
  return Array.from({ length: COUNT }, (_, number) => new WeakRef({ number }));
}

test("code is compiled as usual however often that is asked", () => {
  expect([compileAsUsual(), compileAsUsual()]).toEqual([undefined, undefined]);
});
