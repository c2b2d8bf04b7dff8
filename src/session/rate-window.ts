// A sliding window that limits how often something happens. It is exact, and keeps at most as many times as the limit.

/** A limit: `count` in `windowMs` milliseconds. */
export type Rate = { readonly count: number; readonly periodMs: number };

/** The times of one kind of request of one container, in milliseconds of a monotonic clock. */
export class RateWindow {
  readonly #rate: Rate;
  /** The last `count` times; a ring buffer once it is full. */
  readonly #times: number[] = [];
  #next = 0;
  #newest = Number.NEGATIVE_INFINITY;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Returns how long until one more is allowed, in milliseconds; 0 if it is allowed now. */
  waitMs(nowMs: number): number {
    const oldest = this.#times.length < this.#rate.count ? undefined : this.#times[this.#next];
    // A time exactly one window ago does not count.
    return oldest === undefined ? 0 : Math.max(0, oldest + this.#rate.periodMs - nowMs);
  }

  /** Counts one at this time; in a full window it replaces the oldest. */
  add(nowMs: number): void {
    this.#times[this.#next] = nowMs;
    this.#next = (this.#next + 1) % this.#rate.count;
    this.#newest = nowMs;
  }

  /** Whether the window is empty, so that it can be dropped. */
  isEmpty(nowMs: number): boolean {
    return this.#newest + this.#rate.periodMs <= nowMs;
  }
}
