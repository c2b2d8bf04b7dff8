// IdleCollector: collects garbage when the daemon is idle. The engine collects by itself while code runs; after a burst of
// requests it would keep the garbage for a minute or longer.

/** How long the daemon must be idle, in milliseconds. It is checked once in this time, so it may take up to twice as long. */
export const QUIET_MS = 1_000;

/** How much memory must have grown since the last collection: a single request now and then is not worth one. */
export const GROWTH_BYTES = 16 * 1024 * 1024;

/** Options of an IdleCollector. */
export type IdleCollectorOptions = {
  readonly collect: () => void;
  /** The resident memory of the process, in bytes. */
  readonly residentBytes: () => number;
  readonly quietMs?: number;
};

/** Collects garbage in idle moments until it is closed. */
export class IdleCollector {
  readonly #options: IdleCollectorOptions;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isBusy = false;
  /** Resident memory after the last collection, in bytes. */
  #restBytes = 0;
  /** Whether the last collection freed so much that another one is worth it: freed objects may have held others. */
  #isWorthAgain = false;

  constructor(options: IdleCollectorOptions) {
    this.#options = options;
  }

  /** Notes activity. */
  note(): void {
    this.#isBusy = true;
    this.#timer ??= this.#wait();
  }

  /** Wraps a function so that each call is noted as activity. */
  noting<In, Out>(work: (input: In) => Out): (input: In) => Out {
    return (input) => {
      this.note();
      return work(input);
    };
  }

  /** Stops collecting until the next activity. */
  close(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
  }

  #wait(): ReturnType<typeof setTimeout> {
    this.#isBusy = false;
    const timer = setTimeout(() => this.#look(), this.#options.quietMs ?? QUIET_MS);
    // The timer does not keep the process alive.
    timer.unref();
    return timer;
  }

  #look(): void {
    if (this.#isBusy) {
      this.#timer = this.#wait();
      return;
    }
    this.#timer = null;
    const { collect, residentBytes } = this.#options;
    const beforeBytes = residentBytes();
    if (!this.#isWorthAgain && beforeBytes - this.#restBytes < GROWTH_BYTES) return;
    collect();
    this.#restBytes = residentBytes();
    this.#isWorthAgain = beforeBytes - this.#restBytes >= GROWTH_BYTES;
    if (this.#isWorthAgain) this.#timer = this.#wait();
  }
}
