// Envelopes: the newest envelope of each running container, as rules see it, and the way to write one. A result counts only
// for the instance of the container that wrote the envelope, and only under the rulespec that verified it.
import type { Container } from "../container/container.ts";
import { NO_ENVELOPE } from "../core/always-given.ts";
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

/** The newest envelope of a container. */
type Newest = {
  readonly container: Container;
  readonly result: EnvelopeResult;
  readonly facts: JsonObject;
  /** When it was written, by the monotonic clock. */
  readonly atMs: number;
};

/** The options of the envelopes. */
export type EnvelopesOptions = {
  readonly thread: Pick<EnvelopeThread, "run">;
  readonly source: RulespecSource;
  readonly stateDir: string;
  readonly clock: Clock;
};

/** The envelopes of one daemon. */
export class Envelopes {
  readonly #options: EnvelopesOptions;
  /** By container id; the result is null if the instance has no envelope. */
  readonly #newest = new Map<string, Newest | { readonly container: Container; readonly result: null }>();

  constructor(options: EnvelopesOptions) {
    this.#options = options;
  }

  /** Verifies and keeps a text. Once it is kept, it is the container's newest envelope, whatever its outcome. */
  async write(container: Container, text: string): Promise<Result<WrittenEnvelope, Problem>> {
    const reply = await this.#options.thread.run({ ...this.#job(container), kind: "write", text });
    if (reply.kind === "result") {
      this.#keep(container, reply.result, this.#options.clock.monotonicMs());
      const { outcome, totals, failures, error } = reply.result;
      return ok({ summary: { session: container.shortId, outcome, ...totals, failures: [...failures] }, error });
    }
    const found = problemOf(reply);
    // A refused text is not an envelope, nor is one whose job was not begun. After any other failure the envelope may be
    // kept in part, and then counts as failed.
    if (reply.kind !== "busy" && found.code !== "daemon.unprocessable") {
      this.#keep(container, UNKNOWN_RESULT, this.#options.clock.monotonicMs());
    }
    return err(found);
  }

  /** Restores the envelope that an earlier daemon kept of this instance of the container. */
  async restore(container: Container): Promise<Problem | null> {
    if (this.#newest.get(container.id)?.container.instance === container.instance) return null;
    if (!hasSession(this.#options.stateDir, container.id)) {
      this.#newest.set(container.id, { container, result: null });
      return null;
    }
    const reply = await this.#options.thread.run({ ...this.#job(container), kind: "restore" });
    // An envelope that was written in the meantime is newer.
    if (this.#newest.get(container.id)?.container.instance === container.instance) return null;
    if (reply.kind === "busy") return problemOf(reply);
    if (reply.kind !== "result") {
      this.#newest.set(container.id, { container, result: null });
      return reply.kind === "problem" ? reply.problem : null;
    }
    const { now, monotonicMs } = this.#options.clock;
    const ageMs = Math.max(0, now().getTime() - Date.parse(reply.result.at));
    this.#keep(container, reply.result, monotonicMs() - ageMs);
    return reply.result.error;
  }

  /** Forgets an instance that has ended. */
  drop(container: Container): void {
    if (this.#newest.get(container.id)?.container.instance === container.instance) this.#newest.delete(container.id);
  }

  /** The `envelope` namespace of a container's requests. */
  contextOf(container: Container): EnvelopeContext {
    const newest = this.#newest.get(container.id);
    if (newest === undefined || newest.result === null || newest.container.instance !== container.instance) {
      return NO_ENVELOPE;
    }
    const { outcome, verified } = this.#standing(newest);
    return { verified, outcome, age_seconds: this.#ageSeconds(newest), facts: newest.facts };
  }

  /** The newest envelope of every container, for the operator. */
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

  /** The stored envelope of the container with this id, short id or name. */
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

  // The mounts of all containers: one container must not be able to change another's rulespec.
  #mounts(more: readonly string[] = []): readonly string[] {
    const known = [...this.#newest.values()].flatMap(({ container }) => container.mounts ?? []);
    return [...new Set([...more, ...known])];
  }

  #keep(container: Container, result: EnvelopeResult, atMs: number): void {
    const facts: JsonObject = JSON.parse(result.factsJson);
    this.#newest.set(container.id, { container, result, facts, atMs });
  }

  // An envelope stays verified only while its rulespec is unchanged.
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

/** The summary for the agent, and the error for the operator. */
export type WrittenEnvelope = { readonly summary: EnvelopeSummary; readonly error: Problem | null };

const NOTHING: EnvelopeReply = { kind: "nothing" };

/** The result of an envelope that may be kept only in part. */
const UNKNOWN_RESULT: EnvelopeResult = {
  outcome: "failed",
  totals: NO_TOTALS,
  failures: [],
  at: "",
  factsJson: "{}",
  fingerprint: "",
  error: null,
};

function problemOf(reply: EnvelopeReply): Problem {
  return reply.kind === "problem" ? reply.problem : problem("rulespec.store", "too many envelopes wait");
}
