// How often in a sliding window: exact at its boundary, with as many times kept as may be counted and no more.

/** So many in so long, in milliseconds. */
export type Rate = { readonly count: number; readonly periodMs: number };

/** The times of one kind of request of one container, in milliseconds of a clock that never goes back. */
export class RateWindow {
  readonly #rate: Rate;
  /** The last `count` times, as a ring once it is full. */
  readonly #times: number[] = [];
  #next = 0;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** How long until there is room for one more, in milliseconds; 0 when there is. */
  waitMs(nowMs: number): number {
    const oldest = this.#times.length < this.#rate.count ? undefined : this.#times[this.#next];
    // What is as old as the window is long is out of it.
    return oldest === undefined ? 0 : Math.max(0, oldest + this.#rate.periodMs - nowMs);
  }

  /** Counts one at this time, in place of the oldest where the window is full. */
  add(nowMs: number): void {
    this.#times[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#rate.count;
    this.#newest = nowMs;
  }

  /** Whether nothing is in the window any more, so that a new one would be the same. */
  isEmpty(nowMs: number): boolean {
    return this.#newest + this.#rate.periodMs <= nowMs;
  }
}
