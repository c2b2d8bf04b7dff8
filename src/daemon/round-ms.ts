// Durations as the log shows them: milliseconds, to the microsecond.
import type { Clock } from "../core/clock.ts";

/** The milliseconds since then. */
export function roundMs(clock: Clock, startMs: number): number {
  return Math.round((clock.monotonicMs() - startMs) * 1_000) / 1_000;
}
