// LookupQueue: how many look-ups run and wait, in all and for one place. Connections come from containers, so all of it is
// bounded, and one that causes many, or about which the engine is slow, waits for itself before anyone else does.
/** Look-ups under way at once: enough to keep an engine busy, few enough not to burden it. */
export const LOOKUPS_AT_ONCE = 16;
/** Of one place at once: a quarter, so that three may hang and the others go on. */
export const PLACE_LOOKUPS_AT_ONCE = 4;
/** Look-ups waiting: as many as there may be connections. */
export const LOOKUPS_WAITING = 1_024;
/** Of one place waiting: two for each connection that a container may have, at its start and for its first request. */
export const PLACE_LOOKUPS_WAITING = 128;

type Lane = { running: number; readonly waiting: (() => void)[] };

/** Runs tasks, a bounded number at once, those of one place in the order they came, and the places by turns. */
export class LookupQueue {
  #running = 0;
  #waiting = 0;
  // In the order of their turns: whose look-up has just begun goes to the end.
  readonly #lanes = new Map<string, Lane>();

  /** Runs the task of a place when it is its turn; undefined when too many wait already. */
  run<T>(place: string, task: () => Promise<T>): Promise<T> | undefined {
    const lane = this.#lanes.get(place) ?? { running: 0, waiting: [] };
    if (this.#running < LOOKUPS_AT_ONCE && lane.running < PLACE_LOOKUPS_AT_ONCE) return this.#start(place, lane, task);
    if (this.#waiting >= LOOKUPS_WAITING || lane.waiting.length >= PLACE_LOOKUPS_WAITING) return undefined;
    this.#lanes.set(place, lane);
    this.#waiting++;
    return new Promise<void>((resolve) => lane.waiting.push(resolve)).then(() => this.#finish(place, lane, task));
  }

  #start<T>(place: string, lane: Lane, task: () => Promise<T>): Promise<T> {
    this.#enter(place, lane);
    return this.#finish(place, lane, task);
  }

  #enter(place: string, lane: Lane): void {
    this.#running++;
    lane.running++;
    this.#lanes.delete(place);
    this.#lanes.set(place, lane);
  }

  async #finish<T>(place: string, lane: Lane, task: () => Promise<T>): Promise<T> {
    try {
      return await task();
    } finally {
      this.#running--;
      lane.running--;
      if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(place);
      this.#next();
    }
  }

  #next(): void {
    for (const [place, lane] of this.#lanes) {
      if (lane.running >= PLACE_LOOKUPS_AT_ONCE) continue;
      const begin = lane.waiting.shift();
      if (begin === undefined) continue;
      this.#waiting--;
      // At once, so that nobody who comes in between takes the turn.
      this.#enter(place, lane);
      return begin();
    }
  }
}
