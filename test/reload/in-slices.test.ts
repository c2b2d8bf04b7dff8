// Long work in slices gives the same result, and other work on the thread runs between slices.
import { describe, expect, test } from "bun:test";
import { finish, type Interruptible } from "../../src/core/interruptible.ts";
import { inSlices } from "../../src/reload/in-slices.ts";

function* count(steps: number, each: () => void = () => {}): Interruptible<number> {
  for (let step = 0; step < steps; step++) {
    each();
    yield;
  }
  return steps;
}

describe("inSlices", () => {
  test("returns the result of the work, like finish", async () => {
    expect(await inSlices(count(1_000))).toBe(finish(count(1_000)));
    expect(await inSlices(count(0))).toBe(0);
  });

  test("others go first after each slice", async () => {
    const order: string[] = [];
    const other = () => {
      order.push("other");
      if (order.length < 40) setImmediate(other);
    };
    setImmediate(other);
    // A slice that ends as soon as it begins still makes one step.
    let steps = 0;
    const work = count(5, () => {
      order.push("step");
      const until = performance.now() + 1;
      while (performance.now() < until) steps++;
    });
    await inSlices(work, 1);
    expect(order.filter((what) => what === "step")).toHaveLength(5);
    expect(order.indexOf("other")).toBeLessThan(order.lastIndexOf("step"));
    expect(steps).toBeGreaterThan(0);
  });

  test("a throw in the work is the caller's", async () => {
    const work = count(2, () => {
      throw new Error("in a step");
    });
    expect(inSlices(work)).rejects.toThrow("in a step");
  });
});
