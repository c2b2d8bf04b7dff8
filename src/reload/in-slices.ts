// Runs long work on the serving thread in short slices, so that requests are served between the slices.
import { setImmediate } from "node:timers/promises";
import type { Interruptible } from "../core/interruptible.ts";

/**
 * The length of a slice in milliseconds, plus one step. A request takes several turns of the event loop and may wait for a slice
 * before each turn; in all it must not wait more than 50 ms.
 */
const SLICE_MS = 4;

/** Runs the work to its end and returns its result. */
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
