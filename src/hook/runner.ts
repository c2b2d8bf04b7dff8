// HookRunner: runs the hooks of one rules directory under limits, in the containers' turns. Its creator closes it.
import { FairQueue } from "../core/fair-queue.ts";
import type { JsonObject } from "../core/json.ts";
import type { HookError } from "../core/hook-error.ts";
import { err, type Result } from "../core/result.ts";
import { runHook } from "./run-hook.ts";

/** Most hooks of one container that run at once. */
export const RUNNING_PER_REQUESTER = 2;

/** Most hooks of one container that wait. */
export const WAITING_PER_REQUESTER = 8;

/** Most hooks that run at once in all. Each hook is a few processes on the host. */
export const RUNNING_IN_ALL = 32;

/** The members of an enrich rule that its hook needs. */
export type HookRule = {
  readonly id: string;
  readonly enrich: { readonly script: string; readonly timeoutMs: number } | null;
};

/** The requester for which a hook runs, and the signal that stops it. */
export type HookTurn = { readonly requester: string; readonly signal: AbortSignal };

/** Runs hooks. */
export class HookRunner {
  readonly #dir: string;
  readonly #queue = new FairQueue({
    running: RUNNING_IN_ALL,
    runningPerKey: RUNNING_PER_REQUESTER,
    waitingPerKey: WAITING_PER_REQUESTER,
  });
  readonly #given = new Map<AbortController, Promise<unknown>>();
  #isClosed = false;

  /** Makes a runner for the scripts of a rules directory. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Runs the hook of a rule on a context. The error is the reason of the failure. */
  async run(rule: HookRule, input: JsonObject, turn: HookTurn): Promise<Result<JsonObject, HookError>> {
    const { id, enrich } = rule;
    if (enrich === null) return err("the rule has no hook");
    if (this.#isClosed) return err("hooks are no longer run");
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const onAbort = () => giveUp.abort();
    if (turn.signal.aborted) giveUp.abort();
    turn.signal.addEventListener("abort", onAbort);
    const task = () => runHook({ dir: this.#dir, ...enrich, ruleId: id, input, signal });
    const output = this.#inTurn(turn.requester, task, signal);
    this.#given.set(giveUp, output);
    try {
      return await output;
    } finally {
      this.#given.delete(giveUp);
      turn.signal.removeEventListener("abort", onAbort);
    }
  }

  async #inTurn<T>(requester: string, task: Task<T>, signal: AbortSignal): Promise<Result<T, HookError>> {
    const done = await this.#queue.run(requester, task, signal);
    if (done.ok) return done.value;
    return err(done.error === "full" ? FULL : "the evaluation was given up before its turn");
  }

  /** Kills running hooks, drops waiting ones, and runs no more. Resolves when all hooks have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ending = [...this.#given.values()];
    for (const giveUp of this.#given.keys()) giveUp.abort();
    await Promise.allSettled(ending);
  }
}

type Task<T> = () => Promise<Result<T, HookError>>;

const FULL = `${WAITING_PER_REQUESTER} hooks are waiting for this container already`;
