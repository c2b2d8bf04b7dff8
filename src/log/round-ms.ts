// Durations in the log: milliseconds, rounded to the microsecond.
import type { Clock } from "../core/clock.ts";

/** The milliseconds since a reading of the monotonic clock, rounded to the microsecond. */
export function elapsedMs(clock: Clock, startMs: number): number {
  return roundMs(clock.monotonicMs() - startMs);
}

/** Milliseconds, rounded to the microsecond. */
export function roundMs(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
