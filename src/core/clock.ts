// Clocks are arguments: pure code takes a clock or a time, so that tests can set it.

/** Two readings of time: `now` for records, `monotonicMs` for limits, windows and durations. */
export type Clock = {
  /** The wall clock. */
  readonly now: () => Date;
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number;
};

/** The machine's own clocks. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
