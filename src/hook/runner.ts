// HookRunner: the hooks of one rules directory, each in its turn. Made by whoever evaluates rules, closed by the same.
import type { JsonObject } from "../core/json.ts";
import type { HookError } from "../core/hook-error.ts";
import { err, ok, type Result } from "../core/result.ts";
import { HookQueue } from "./hook-queue.ts";
import { runHook } from "./run-hook.ts";

/** What is needed of an enrich rule. */
export type HookRule = {
  readonly id: string;
  readonly enrich: { readonly script: string; readonly timeoutMs: number } | null;
};

/** For whom a hook runs, and when to give it up. */
export type HookTurn = { readonly requester: string; readonly signal: AbortSignal };

/** Runs hooks. */
export class HookRunner {
  readonly #dir: string;
  readonly #queue = new HookQueue();
  readonly #given = new Map<AbortController, Promise<unknown>>();
  #isClosed = false;

  /** The hooks of the scripts below this directory. */
  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Runs the hook of a rule on a context; the error is the reason of its failure. */
  async run(rule: HookRule, input: JsonObject, turn: HookTurn): Promise<Result<JsonObject, HookError>> {
    const { id, enrich } = rule;
    if (enrich === null) return err("the rule has no hook");
    if (this.#isClosed) return err("hooks are no longer run");
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const onAbort = () => giveUp.abort();
    if (turn.signal.aborted) giveUp.abort();
    turn.signal.addEventListener("abort", onAbort);
    const task = async () => ok(await runHook({ dir: this.#dir, ...enrich, ruleId: id, input, signal }));
    const output = this.#queue.run(turn.requester, signal, task);
    this.#given.set(giveUp, output);
    try {
      const ended = await output;
      return ended.ok ? ended.value : ended;
    } finally {
      this.#given.delete(giveUp);
      turn.signal.removeEventListener("abort", onAbort);
    }
  }

  /** Kills what runs, gives up what waits, and runs nothing more; resolves when all of it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ending = [...this.#given.values()];
    for (const giveUp of this.#given.keys()) giveUp.abort();
    await Promise.allSettled(ending);
  }
}
