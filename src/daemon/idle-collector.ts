// IdleCollector: what requests and loads leave behind is given back once nothing has happened for a moment. The engine
// collects by itself while something runs; when nothing does, the garbage of a burst would stay for a minute and more.

/** How long nothing must have happened, in milliseconds; it may be up to twice that, since only now and then is looked. */
export const QUIET_MS = 1_000;

/** By how much memory must have grown since the last time: who asks once in a while is not made to wait each time. */
export const GROWTH_BYTES = 16 * 1024 * 1024;

/** What it works with. */
export type IdleCollectorOptions = {
  readonly collect: () => void;
  /** How much memory the process takes now. */
  readonly residentBytes: () => number;
  readonly quietMs?: number;
};

/** Collects in quiet moments, for the first time in the first of them; `close` ends that. */
export class IdleCollector {
  readonly #options: IdleCollectorOptions;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isBusy = false;
  /** What was taken when it was last collected. */
  #restBytes = 0;
  /** Whether the last collection gave back so much that the next may too: what it has freed had held more. */
  #isWorthAgain = false;

  constructor(options: IdleCollectorOptions) {
    this.#options = options;
  }

  /** Something happened. */
  note(): void {
    this.#isBusy = true;
    this.#timer ??= this.#wait();
  }

  /** The same work, noted whenever it is begun. */
  noting<In, Out>(work: (input: In) => Out): (input: In) => Out {
    return (input) => {
      this.note();
      return work(input);
    };
  }

  /** Nothing is collected any more until something happens. */
  close(): void {
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
  }

  #wait(): ReturnType<typeof setTimeout> {
    this.#isBusy = false;
    const timer = setTimeout(() => this.#look(), this.#options.quietMs ?? QUIET_MS);
    // Nobody stays for it.
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
