// Durations as the log shows them: milliseconds, to the microsecond.
import type { Clock } from "../core/clock.ts";

/** The milliseconds since then. */
export function elapsedMs(clock: Clock, startMs: number): number {
  return roundMs(clock.monotonicMs() - startMs);
}

/** Milliseconds to the microsecond. */
export function roundMs(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}
