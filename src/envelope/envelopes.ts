// Envelopes: the newest of each container's present life, as rules see it, and the way to write one. What became of a text
// counts for the container that wrote it in the life in which it did, and under the rulespec that it was held against.
import type { Container } from "../container/container.ts";
import type { Clock } from "../core/clock.ts";
import type { EnvelopeContext } from "../core/context.ts";
import type { JsonObject } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { NO_TOTALS } from "../rulespec/predicate-answer.ts";
import type { EnvelopeState, EnvelopeSummary, EnvelopeView } from "../wire/envelope-api.ts";
import { hasSession, listSessions } from "./envelope-files.ts";
import type { EnvelopeOwner, EnvelopeReply, EnvelopeResult } from "./envelope-jobs.ts";
import { fingerprintOf, type RulespecSource } from "./rulespec-source.ts";
import type { EnvelopeThread } from "./envelope-thread.ts";

/** What rules see before the first envelope of a life: as old as can be said, so that writing none escapes nothing. */
export const NO_ENVELOPE = {
  verified: false,
  outcome: "none",
  age_seconds: Number.MAX_SAFE_INTEGER,
  facts: {},
} as const;

/** What is known of one container's newest envelope. */
type Newest = {
  readonly container: Container;
  readonly result: EnvelopeResult;
  readonly facts: JsonObject;
  /** When it was written, on the clock that never goes back. */
  readonly atMs: number;
};

/** What envelopes work with. */
export type EnvelopesOptions = {
  readonly thread: Pick<EnvelopeThread, "run">;
  readonly source: RulespecSource;
  readonly stateDir: string;
  readonly clock: Clock;
};

/** The envelopes of one daemon. */
export class Envelopes {
  readonly #options: EnvelopesOptions;
  /** By container id; null where a life is known to have none. */
  readonly #newest = new Map<string, Newest | { readonly container: Container; readonly result: null }>();

  constructor(options: EnvelopesOptions) {
    this.#options = options;
  }

  /** Verifies and keeps a text; whatever becomes of it once it is kept is the container's newest. */
  async write(container: Container, text: string): Promise<Result<WrittenEnvelope, Problem>> {
    const reply = await this.#options.thread.run({ ...this.#job(container), kind: "write", text });
    if (reply.kind === "result") {
      this.#keep(container, reply.result, this.#options.clock.monotonicMs());
      const { outcome, totals, failures, trouble } = reply.result;
      return ok({ summary: { session: container.shortId, outcome, ...totals, failures: [...failures] }, trouble });
    }
    const found = problemOf(reply);
    // A text that is refused is no envelope, nor is one that nobody looked at; anything else may have been kept halfway, and
    // then counts for nothing.
    if (reply.kind !== "busy" && found.code !== "daemon.unprocessable") {
      this.#keep(container, UNKNOWN_RESULT, this.#options.clock.monotonicMs());
    }
    return err(found);
  }

  /** Finds what an earlier daemon kept of a container's present life. */
  async restore(container: Container): Promise<Problem | null> {
    if (this.#newest.get(container.id)?.container.instance === container.instance) return null;
    if (!hasSession(this.#options.stateDir, container.id)) {
      this.#newest.set(container.id, { container, result: null });
      return null;
    }
    const reply = await this.#options.thread.run({ ...this.#job(container), kind: "restore" });
    // Whoever wrote in the meantime has the newest.
    if (this.#newest.get(container.id)?.container.instance === container.instance) return null;
    if (reply.kind === "busy") return problemOf(reply);
    if (reply.kind !== "result") {
      this.#newest.set(container.id, { container, result: null });
      return reply.kind === "problem" ? reply.problem : null;
    }
    const { now, monotonicMs } = this.#options.clock;
    const ageMs = Math.max(0, now().getTime() - Date.parse(reply.result.at));
    this.#keep(container, reply.result, monotonicMs() - ageMs);
    return reply.result.trouble;
  }

  /** Forgets a life that has ended. */
  drop(container: Container): void {
    if (this.#newest.get(container.id)?.container.instance === container.instance) this.#newest.delete(container.id);
  }

  /** What rules see of a container. */
  contextOf(container: Container): EnvelopeContext {
    const newest = this.#newest.get(container.id);
    if (newest === undefined || newest.result === null || newest.container.instance !== container.instance) {
      return NO_ENVELOPE;
    }
    const { outcome, verified } = this.#standing(newest);
    return { verified, outcome, age_seconds: this.#ageSeconds(newest), facts: newest.facts };
  }

  /** Every container's newest, for the operator. */
  list(): readonly EnvelopeState[] {
    return [...this.#newest.values()].flatMap((newest) => {
      if (newest.result === null) return [];
      const { container: { id, name, shortId }, result: { totals, at } } = newest;
      const standing = this.#standing(newest);
      return [{
        session: shortId,
        container: { id, name },
        ...standing,
        ...totals,
        at,
        age_seconds: this.#ageSeconds(newest),
      }];
    });
  }

  /** What is kept of a container by its id, its short id or its name. */
  async view(wanted: string): Promise<Result<EnvelopeView, Problem>> {
    const id = this.#idOf(wanted);
    const reply = id === undefined
      ? NOTHING
      : await this.#options.thread.run({ kind: "view", id, mounts: this.#mounts() });
    if (reply.kind === "view") return ok(reply.view);
    if (reply.kind !== "nothing") return err(problemOf(reply));
    return err(problem("rulespec.not-found", `no envelope of ${quote(wanted)}`));
  }

  #job(container: Container): { readonly owner: EnvelopeOwner; readonly mounts: readonly string[] } {
    const { id, name, instance, mounts = [] } = container;
    return { owner: { id, name, instance }, mounts: this.#mounts(mounts) };
  }

  // Every container's, since what one can change another could be judged by.
  #mounts(more: readonly string[] = []): readonly string[] {
    const known = [...this.#newest.values()].flatMap(({ container }) => container.mounts ?? []);
    return [...new Set([...more, ...known])];
  }

  #keep(container: Container, result: EnvelopeResult, atMs: number): void {
    const facts: JsonObject = JSON.parse(result.factsJson);
    this.#newest.set(container.id, { container, result, facts, atMs });
  }

  // A verified envelope stands only under the rulespec that it was held against.
  #standing({ container, result }: Newest): { readonly outcome: string; readonly verified: boolean } {
    const { outcome, fingerprint } = result;
    if (outcome !== "verified") return { outcome, verified: false };
    const isPresent = fingerprintOf(this.#options.source, container.name) === fingerprint;
    return { outcome: isPresent ? outcome : "unverified", verified: isPresent };
  }

  #ageSeconds({ atMs }: Newest): number {
    return Math.max(0, Math.floor((this.#options.clock.monotonicMs() - atMs) / 1_000));
  }

  #idOf(wanted: string): string | undefined {
    const live = [...this.#newest.values()].map(({ container }) => container);
    const found = live.find(({ id, shortId, name }) => wanted === id || wanted === shortId || wanted === name);
    if (found !== undefined) return found.id;
    const kept = listSessions(this.#options.stateDir);
    const digits = /^ctr-([0-9a-f]{12})$/.exec(wanted)?.[1];
    return kept.find((id) => id === wanted || (digits !== undefined && id.startsWith(digits)));
  }
}

/** What the agent is told of its envelope, and what the operator should know beside it. */
export type WrittenEnvelope = { readonly summary: EnvelopeSummary; readonly trouble: Problem | null };

const NOTHING: EnvelopeReply = { kind: "nothing" };

/** What counts where nobody knows what became of an envelope. */
const UNKNOWN_RESULT: EnvelopeResult = {
  outcome: "failed",
  totals: NO_TOTALS,
  failures: [],
  at: "",
  factsJson: "{}",
  fingerprint: "",
  trouble: null,
};

function problemOf(reply: EnvelopeReply): Problem {
  return reply.kind === "problem" ? reply.problem : problem("rulespec.store", "too many envelopes wait");
}
