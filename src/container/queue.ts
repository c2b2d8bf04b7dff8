// LookupQueue: how many look-ups run and wait at once. Connections come from containers, so both are bounded.
/** Look-ups under way at once: enough to keep an engine busy, few enough not to burden it. */
export const LOOKUPS_AT_ONCE = 16;
/** Look-ups waiting: as many as there may be connections. */
export const LOOKUPS_WAITING = 1_024;

/** Runs tasks, a bounded number at once, in the order they came. */
export class LookupQueue {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Runs the task when it is its turn; undefined when too many wait already. */
  run<T>(task: () => Promise<T>): Promise<T> | undefined {
    if (this.#running < LOOKUPS_AT_ONCE) return this.#start(task);
    if (this.#waiting.length >= LOOKUPS_WAITING) return undefined;
    return new Promise<void>((resolve) => this.#waiting.push(resolve)).then(() => this.#start(task));
  }

  async #start<T>(task: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await task();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }
}
