// What is asked of the engine: under Bun it is done, and under any other runtime nothing is.
import { expect, test } from "bun:test";
import { collectGarbage, compileAsUsual } from "../../src/daemon/engine.ts";

const COUNT = 1_000;

test("collectGarbage gives garbage back at once", async () => {
  const references = makeGarbage();
  // What a reference was made of stays until the turn ends.
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  // A few may still be on the stack, where the collector finds whatever looks like them.
  expect(references.filter((reference) => reference.deref() !== undefined).length).toBeLessThan(COUNT / 10);
});

// In a frame of its own, so that nothing of it is still on the stack.
function makeGarbage(): readonly WeakRef<object>[] {
  return Array.from({ length: COUNT }, (_, number) => new WeakRef({ number }));
}

test("code is compiled as usual however often that is asked", () => {
  expect([compileAsUsual(), compileAsUsual()]).toEqual([undefined, undefined]);
});
