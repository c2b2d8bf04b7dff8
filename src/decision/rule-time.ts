// The time for which rules are evaluated. A clock that was set back would bring rules back that have expired, so the daemon
// keeps the latest time it has seen; while the clock is behind it, no rule that expires is in force.
import type { Clock } from "../core/clock.ts";

/** How far the clock may be behind the latest time, in milliseconds: time servers correct a clock by less. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** One reading: the time of the record, and the time that rules see. */
export type RuleTimeReading = { readonly at: Date; readonly nowMs: number };

/** The wall clock with the latest time that was seen of it. */
export class RuleTime {
  readonly #clock: Pick<Clock, "now">;
  #latestMs: number;

  /** `latestMs` is the latest time that an earlier daemon saw, in milliseconds since 1970. */
  constructor(clock: Pick<Clock, "now">, latestMs: number | null = null) {
    this.#clock = clock;
    this.#latestMs = latestMs ?? -Infinity;
  }

  /** Reads the clock, for one evaluation. */
  read(): RuleTimeReading {
    const at = this.#clock.now();
    return { at, nowMs: this.#behindMs(at) > CLOCK_TOLERANCE_MS ? Infinity : at.getTime() };
  }

  /** How many seconds the clock is behind, while no rule that expires is in force for that reason; else null. */
  get behindSeconds(): number | null {
    const behindMs = this.#behindMs(this.#clock.now());
    return behindMs > CLOCK_TOLERANCE_MS ? Math.floor(behindMs / 1_000) : null;
  }

  #behindMs(at: Date): number {
    this.#latestMs = Math.max(this.#latestMs, at.getTime());
    return this.#latestMs - at.getTime();
  }
}
