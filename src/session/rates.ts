// Container -> its rate windows (S004-FR-014), by the container's id, so that a restart does not reset them. A request over
// the limit does not count in the window of its kind; every request counts in the window of all requests.
import { type Rate, RateWindow } from "./rate-window.ts";

/** The limits that the operator sets. */
export type RateLimits = { readonly permissions: Rate; readonly ruleRequests: Rate };

/** The default limits (S004-FR-014). */
export const DEFAULT_RATES: RateLimits = {
  permissions: { count: 100, periodMs: 10_000 },
  ruleRequests: { count: 10, periodMs: 60_000 },
};

/** All requests together, refused ones included, may be this many times the permission requests. */
export const ANY_FACTOR = 3;

/** The limit of the envelopes that a container may write. */
export const ENVELOPE_RATE: Rate = { count: 10, periodMs: 60_000 };

/** The kinds of requests that have windows of their own. */
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

  /** Counts a request of any kind; returns how long the container must wait, in milliseconds, or 0. */
  countAny(containerId: string, nowMs: number): number {
    const { all } = this.#windows(containerId, nowMs);
    const waitMs = all.waitMs(nowMs);
    all.add(nowMs);
    return waitMs;
  }

  /** Counts a request of a kind if its window allows it and returns 0; otherwise how long to wait, in milliseconds. */
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

  // At most once in the longest window: drops the windows of containers that are gone.
  #sweep(nowMs: number): void {
    const { permissions, ruleRequests } = this.#limits;
    if (nowMs < this.#sweptMs + Math.max(permissions.periodMs, ruleRequests.periodMs)) return;
    this.#sweptMs = nowMs;
    for (const [id, windows] of this.#byContainer) {
      if (Object.values(windows).every((window) => window.isEmpty(nowMs))) this.#byContainer.delete(id);
    }
  }
}
