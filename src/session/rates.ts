// Container -> its windows (S004-FR-014): by the container's id, so that a restart gives none anew. A request that is
// refused for its rate does not count in its own window; in the window of all requests every one counts.
import { type Rate, RateWindow } from "./rate-window.ts";

/** The operator's limits. */
export type RateLimits = { readonly permissions: Rate; readonly ruleRequests: Rate };

/** The limits of S004-FR-014 where the operator says nothing. */
export const DEFAULT_RATES: RateLimits = {
  permissions: { count: 100, periodMs: 10_000 },
  ruleRequests: { count: 10, periodMs: 60_000 },
};

/** Any requests, refused ones included, may be so many times the permission requests. */
export const ANY_FACTOR = 3;

/** How many envelopes a container may write (S004 section 5). */
export const ENVELOPE_RATE: Rate = { count: 10, periodMs: 60_000 };

/** What is counted apart. */
export type RateKind = keyof RateLimits | "envelopes";

type Windows = Readonly<Record<RateKind | "all", RateWindow>>;

/** The windows of all containers. */
export class Rates {
  readonly #limits: RateLimits;
  readonly #all: Rate;
  readonly #byContainer = new Map<string, Windows>();
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor(limits: RateLimits) {
    this.#limits = limits;
    const { count, periodMs } = limits.permissions;
    this.#all = { count: count * ANY_FACTOR, periodMs };
  }

  /** How many containers have windows. */
  get size(): number {
    return this.#byContainer.size;
  }

  /** Counts any request; how long the container should be silent, in milliseconds, or 0 where it may go on. */
  countAny(containerId: string, nowMs: number): number {
    const { all } = this.#windows(containerId, nowMs);
    const waitMs = all.waitMs(nowMs);
    all.add(nowMs);
    return waitMs;
  }

  /** Counts a request of a kind where there is room for it; else how long until there is, in milliseconds. */
  take(containerId: string, kind: RateKind, nowMs: number): number {
    const window = this.#windows(containerId, nowMs)[kind];
    const waitMs = window.waitMs(nowMs);
    if (waitMs === 0) window.add(nowMs);
    return waitMs;
  }

  #windows(containerId: string, nowMs: number): Windows {
    const existing = this.#byContainer.get(containerId);
    if (existing !== undefined) return existing;
    this.#sweep(nowMs);
    const { permissions, ruleRequests } = this.#limits;
    const windows = {
      permissions: new RateWindow(permissions),
      ruleRequests: new RateWindow(ruleRequests),
      envelopes: new RateWindow(ENVELOPE_RATE),
      all: new RateWindow(this.#all),
    };
    this.#byContainer.set(containerId, windows);
    return windows;
  }

  // At most once in the longest period, so that a host where containers come and go holds only those of late.
  #sweep(nowMs: number): void {
    const { permissions, ruleRequests } = this.#limits;
    if (nowMs < this.#sweptMs + Math.max(permissions.periodMs, ruleRequests.periodMs)) return;
    this.#sweptMs = nowMs;
    for (const [id, windows] of this.#byContainer) {
      if (Object.values(windows).every((window) => window.isEmpty(nowMs))) this.#byContainer.delete(id);
    }
  }
}
