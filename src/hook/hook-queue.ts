// HookQueue: how many hooks run and wait. Containers cause them, so both are bounded for each, and one that asks for many
// delays its own hooks before anyone else's.
import { err, type Result } from "../core/result.ts";

/** Hooks of one container that run at once (S003 section 5). */
export const RUNNING_PER_ASKER = 2;

/** Hooks of one container that wait (S003 section 5). */
export const WAITING_PER_ASKER = 8;

/** Hooks that run at once over all: each is a few processes of the host (S003 section 5). */
export const RUNNING_OVER_ALL = 32;

type Lane = { running: number; readonly waiting: (() => void)[] };

/** Lets hooks run in their turn. */
export class HookQueue {
  #running = 0;
  // In the order of their turns: who has just been let in goes to the end.
  readonly #lanes = new Map<string, Lane>();

  /** How many requesters have hooks running or waiting. */
  get requesters(): number {
    return this.#lanes.size;
  }

  /** Runs a task when it is its turn; an error when too many wait, or when the signal comes before the turn does. */
  async run<T>(
    requester: string,
    signal: AbortSignal,
    task: () => Promise<Result<T, string>>,
  ): Promise<Result<T, string>> {
    const lane = this.#lanes.get(requester) ?? { running: 0, waiting: [] };
    const mayRun = lane.running < RUNNING_PER_ASKER && this.#running < RUNNING_OVER_ALL;
    if (!mayRun && lane.waiting.length >= WAITING_PER_ASKER) {
      return err(`${WAITING_PER_ASKER} hooks are waiting for this container already`);
    }
    if (signal.aborted) return err("the evaluation was given up");
    this.#lanes.set(requester, lane);
    if (mayRun) this.#enter(requester, lane);
    else if (!(await this.#turn(requester, lane, signal))) return err("the evaluation was given up before its turn");
    try {
      return await task();
    } finally {
      this.#leave(requester, lane);
    }
  }

  // Resolves with whether the turn came.
  #turn(requester: string, lane: Lane, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const onAbort = () => {
        lane.waiting.splice(lane.waiting.indexOf(onTurn), 1);
        this.#forget(requester, lane);
        resolve(false);
      };
      const onTurn = () => {
        signal.removeEventListener("abort", onAbort);
        this.#enter(requester, lane);
        resolve(true);
      };
      lane.waiting.push(onTurn);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  #enter(requester: string, lane: Lane): void {
    this.#running++;
    lane.running++;
    this.#lanes.delete(requester);
    this.#lanes.set(requester, lane);
  }

  #leave(requester: string, lane: Lane): void {
    this.#running--;
    lane.running--;
    this.#forget(requester, lane);
    const next = [...this.#lanes.values()].find((each) => {
      return each.waiting.length > 0 && each.running < RUNNING_PER_ASKER;
    });
    next?.waiting.shift()?.();
  }

  #forget(requester: string, lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(requester);
  }
}
