// Long work on the thread that serves: a slice at a time, everything that waits for the thread in between.
import { setImmediate } from "node:timers/promises";
import type { Interruptible } from "../core/interruptible.ts";

/** How long a slice may hold the thread, in milliseconds; one step of the work comes on top. A request takes several turns of the loop, and may wait for a slice before each (product.md 5: 50 in all). */
const SLICE_MS = 4;

/** Does the work, giving way to others between its slices. */
export async function inSlices<T>(work: Interruptible<T>, sliceMs = SLICE_MS): Promise<T> {
  for (;;) {
    const endMs = performance.now() + sliceMs;
    while (performance.now() < endMs) {
      const step = work.next();
      if (step.done === true) return step.value;
    }
    await setImmediate();
  }
}
