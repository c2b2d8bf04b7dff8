// FairQueue: limits how many tasks run and wait, in all and for each key. Tasks of one key start in the order in which they
// came. The keys take turns, so a key with many tasks delays its own tasks and not those of other keys.
import { err, ok, type Result } from "./result.ts";

/** The limits of a queue; without a limit, the number is unlimited. */
export type QueueLimits = {
  /** Most tasks that run at once. */
  readonly running?: number;
  /** Most tasks of one key that run at once. */
  readonly runningPerKey?: number;
  /** Most tasks that wait. */
  readonly waiting?: number;
  /** Most tasks of one key that wait. */
  readonly waitingPerKey?: number;
};

/** The reason why a task did not run: too many tasks wait already, or its signal was aborted before its turn. */
export type NotRun = "full" | "aborted";

type Start = () => void;
type Lane = { running: number; readonly waiting: Set<Start> };

/** Runs tasks by key. */
export class FairQueue {
  readonly #limits: Required<QueueLimits>;
  readonly #lanes = new Map<string, Lane>();
  /** The lanes with waiting tasks, in the order of their turns. */
  readonly #turns = new Map<string, Lane>();
  #running = 0;
  #waiting = 0;

  constructor(limits: QueueLimits) {
    this.#limits = {
      running: Infinity,
      runningPerKey: Infinity,
      waiting: Infinity,
      waitingPerKey: Infinity,
      ...limits,
    };
  }

  /** How many keys have tasks that run or wait. */
  get keys(): number {
    return this.#lanes.size;
  }

  /** How many tasks wait: those of one key, or all of them. */
  waiting(key?: string): number {
    return key === undefined ? this.#waiting : this.#lanes.get(key)?.waiting.size ?? 0;
  }

  /** Runs the task in its turn and returns its result. An aborted signal ends the wait, but not a task that has begun. */
  async run<T>(key: string, task: () => Promise<T>, signal?: AbortSignal): Promise<Result<T, NotRun>> {
    if (signal?.aborted === true) return err("aborted");
    const lane = this.#lanes.get(key) ?? { running: 0, waiting: new Set() };
    if (this.#hasRoom(lane)) this.#enter(key, lane);
    else if (this.#waiting >= this.#limits.waiting || lane.waiting.size >= this.#limits.waitingPerKey) {
      return err("full");
    } else if (!await this.#turn(key, lane, signal)) return err("aborted");
    try {
      return ok(await task());
    } finally {
      this.#leave(key, lane);
    }
  }

  #hasRoom(lane: Lane): boolean {
    return this.#running < this.#limits.running && lane.running < this.#limits.runningPerKey;
  }

  #enter(key: string, lane: Lane): void {
    this.#running++;
    lane.running++;
    this.#lanes.set(key, lane);
  }

  // Resolves with true when the turn comes, or with false when the signal is aborted first.
  #turn(key: string, lane: Lane, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const start = () => {
        signal?.removeEventListener("abort", giveUp);
        resolve(true);
      };
      const giveUp = () => {
        this.#take(key, lane, start);
        this.#forget(key, lane);
        resolve(false);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting++;
      lane.waiting.add(start);
      this.#lanes.set(key, lane);
      if (!this.#turns.has(key)) this.#turns.set(key, lane);
    });
  }

  #take(key: string, lane: Lane, start: Start): void {
    this.#waiting--;
    lane.waiting.delete(start);
    if (lane.waiting.size === 0) this.#turns.delete(key);
  }

  #leave(key: string, lane: Lane): void {
    this.#running--;
    lane.running--;
    this.#startNext();
    this.#forget(key, lane);
  }

  // Takes the place before the waiting task continues, so that no task that comes in between takes it.
  #startNext(): void {
    for (const [key, lane] of this.#turns) {
      const [start] = lane.waiting;
      if (start === undefined || !this.#hasRoom(lane)) continue;
      this.#turns.delete(key);
      this.#turns.set(key, lane);
      this.#take(key, lane, start);
      this.#enter(key, lane);
      return start();
    }
  }

  #forget(key: string, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.size === 0) this.#lanes.delete(key);
  }
}
