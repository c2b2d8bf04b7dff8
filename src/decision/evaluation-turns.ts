// A semaphore for each container: so many evaluations run at once, further ones wait in order. A container whose hooks are slow
// delays only itself (S004 section 5).

/** Evaluations of one container at once. */
export const CONTAINER_EVALUATIONS_LIMIT = 16;

type Turns = { running: number; readonly waiting: Set<() => void> };

/** The semaphores of all requesters. */
export class EvaluationTurns {
  readonly #byRequester = new Map<string, Turns>();

  /** How many evaluations of a requester wait. */
  waiting(requester: string): number {
    return this.#byRequester.get(requester)?.waiting.size ?? 0;
  }

  /** Runs the work once a place is free; null where the signal aborted the wait. */
  async run<T>(requester: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | null> {
    const turns = this.#byRequester.get(requester) ?? { running: 0, waiting: new Set() };
    this.#byRequester.set(requester, turns);
    if (!await enter(turns, signal)) return null;
    try {
      return await work();
    } finally {
      this.#leave(requester, turns);
    }
  }

  // A freed place goes directly to the evaluation that has waited longest.
  #leave(requester: string, turns: Turns): void {
    const [next] = turns.waiting;
    if (next !== undefined) return next();
    turns.running--;
    if (turns.running === 0) this.#byRequester.delete(requester);
  }
}

function enter(turns: Turns, signal: AbortSignal): Promise<boolean> {
  if (turns.running < CONTAINER_EVALUATIONS_LIMIT) {
    turns.running++;
    return Promise.resolve(true);
  }
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle = (entered: boolean) => {
    turns.waiting.delete(begin);
    signal.removeEventListener("abort", giveUp);
    resolve(entered);
  };
  const begin = () => settle(true);
  const giveUp = () => settle(false);
  turns.waiting.add(begin);
  signal.addEventListener("abort", giveUp);
  return promise;
}
