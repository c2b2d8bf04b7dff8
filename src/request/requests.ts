// The rule requests of one daemon: taken from containers, shown to the operator, approved or denied by the operator alone.
// While a request waits it has no part in any evaluation; approvals are made one after the other.
import { randomBytes } from "node:crypto";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText, quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { ApproveBody, RuleRequestData, RuleRequestView } from "../wire/request-host.ts";
import type { RequestStatus } from "../wire/request-agent.ts";
import type { Decider, Requester, RuleRequest, Submission } from "../wire/stored-request.ts";
import { type Analyzed, analyzeSubmission } from "./analyze-submission.ts";
import { approve, type ApproveDeps, nameTaken, notPending } from "./approve.ts";
import { isFree } from "./approved-file.ts";
import { describeProposal, describeRequest, viewRequest } from "./describe-request.ts";
import { digestOfRequest } from "./proposal-digest.ts";
import { type Proposal, propose, whyUnwritable } from "./propose.ts";
import { reachOf } from "./reach.ts";
import type { Status } from "./request-store.ts";
import { digestOfSubmission } from "./submission.ts";
import { summarize } from "./summarize-request.ts";

/** Most requests of one container that may wait. */
export const WAITING_LIMIT = 20;

/** Most requests that may wait in all: containers come and go, and what they leave must not fill the disk. */
export const ALL_WAITING_LIMIT = 1_000;

/** Longest reason of a denial, in bytes. */
export const REASON_LIMIT_BYTES = 1_024;

/** What requests work with. */
export type RequestsOptions = ApproveDeps & { readonly now: () => Date };

/** All requests. */
export class RuleRequests {
  readonly #options: RequestsOptions;
  #lastApproval: Promise<unknown> = Promise.resolve();

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Takes a request, or gives the one of the same text that waits already. */
  submit(requester: Requester, submission: Submission): Result<RuleRequest, Problem> {
    const { store, rules: live, now } = this.#options;
    const { environment } = live();
    const textDigest = digestOfSubmission(submission);
    const same = store.findWaiting(requester.id, textDigest);
    if (!same.ok) return same;
    if (same.value !== null) return ok(same.value);
    const waiting = store.countWaiting(requester.id);
    if (!waiting.ok) return waiting;
    if (waiting.value.ofContainer >= WAITING_LIMIT || waiting.value.inAll >= ALL_WAITING_LIMIT) {
      return err(problem("request.too-many", "too many rule requests wait for the operator"));
    }
    const analyzed = analyzeSubmission(submission, environment);
    if (!analyzed.ok) return analyzed;
    const id = `rr-${randomBytes(6).toString("hex")}`;
    const { rules, ruleFile } = analyzed.value;
    if (rules.length > 0) {
      // What could never be approved as it is, is no request.
      const unwritable = whyUnwritable({ request: { id, requester, submission }, rules, overrides: {}, environment });
      if (unwritable !== null) return err(unwritable);
    }
    const summary = summarize(submission, rules);
    const submittedAt = now().toISOString();
    const request = {
      id,
      submittedAt,
      requester,
      submission,
      ...summary,
      ruleFile,
      state: { status: "pending" },
    } as const;
    const added = store.add(request, textDigest);
    return added.ok ? ok(request) : added;
  }

  /** The container's own request of this id; another container's is as unknown as none. */
  findOf(containerId: string, id: string): Result<RuleRequest, Problem> {
    const found = this.#options.store.find(id);
    if (!found.ok) return found;
    if (found.value?.requester.id === containerId) return ok(found.value);
    return err(problem("request.not-found", `rule request ${escapeText(id)} not found`));
  }

  /** The requests that stand so, or all of them, the oldest first. */
  list(status: RequestStatus | null): Result<readonly RuleRequestData[], Problem> {
    const { store, rules } = this.#options;
    const found = store.list(status === null ? [...STATUSES["pending"], "approved", "rejected"] : STATUSES[status]);
    return found.ok ? ok(found.value.map((request) => describeRequest(request, rules().digest))) : found;
  }

  /** How many requests wait for the operator; null where the store does not say. */
  countPending(): number | null {
    const waiting = this.#options.store.countWaiting("");
    return waiting.ok ? waiting.value.inAll : null;
  }

  /** Everything about one request that its decision needs. */
  view(id: string): Result<RuleRequestView, Problem> {
    const request = this.#find(id);
    if (!request.ok) return request;
    const ruleSetDigest = this.#options.rules().digest;
    if (request.value.state.status !== "pending") {
      return ok(viewRequest(request.value, { ruleSetDigest, proposal: null, problem: null }));
    }
    const planned = this.#plan(request.value, {});
    if (!planned.ok) {
      return ok(viewRequest(request.value, { ruleSetDigest, proposal: null, problem: planned.error.message }));
    }
    const { analyzed, proposal } = planned.value;
    const reaches = reachOf(proposal, this.#options.rules());
    return ok(viewRequest(request.value, {
      ruleSetDigest,
      proposal: describeProposal(proposal, reaches, analyzed),
      problem: this.#obstacle(proposal)?.message ?? null,
    }));
  }

  /** Approves a request once every approval before it is done. */
  approve(id: string, body: ApproveBody, by: Decider): Promise<Result<RuleRequestData, Problem>> {
    const turn = this.#lastApproval.then(() => this.#approve(id, body, by));
    // Whoever asked hears of a failure; the next one in line only waits.
    this.#lastApproval = turn.catch(() => null);
    return turn;
  }

  /** Denies a request, with a reason that whoever made it may read. */
  async deny(id: string, reason: string | null, by: Decider): Promise<Result<RuleRequestData, Problem>> {
    const { store, keep, rules, now } = this.#options;
    const wrong = reason === null ? null : wrongReason(reason);
    if (wrong !== null) return err(problem("request.unacceptable", wrong));
    const request = this.#find(id);
    if (!request.ok) return request;
    const { requester, state } = request.value;
    if (state.status !== "pending") return err(notPending(id, state.status));
    const [at, digest] = [now().toISOString(), digestOfRequest(request.value, rules().digest)];
    const event = { kind: "denied", request: id, container: requester.id, at, by, digest } as const;
    const kept = await keep({ ...event, file: null, rules: [], reason });
    if (!kept.ok) return kept;
    const denied: RuleRequest = { ...request.value, state: { status: "rejected", at, by, digest, reason } };
    const changed = store.change(denied, "pending");
    if (!changed.ok) return changed;
    return changed.value ? ok(describeRequest(denied, digest)) : err(notPending(id));
  }

  async #approve(id: string, body: ApproveBody, by: Decider): Promise<Result<RuleRequestData, Problem>> {
    const { digest: shown, ...overrides } = body;
    const request = this.#find(id);
    if (!request.ok) return request;
    const { state } = request.value;
    if (state.status !== "pending") return err(notPending(id, state.status));
    const live = this.#options.rules();
    const digest = digestOfRequest(request.value, live.digest);
    if (shown !== undefined && shown !== digest) {
      const message = `rule request ${quote(id)}, or the rules beside it, changed since it was shown: look at it again`;
      return err(problem("request.changed", message));
    }
    const planned = this.#plan(request.value, overrides);
    if (!planned.ok) return planned;
    const { proposal } = planned.value;
    const obstacle = this.#obstacle(proposal);
    if (obstacle !== null) return err(obstacle);
    const unreached = overrides.force === true ? null : this.#unreached(proposal);
    if (unreached !== null) return err(unreached);
    const at = this.#options.now().toISOString();
    const approved = await approve({ request: request.value, proposal, digest, by, at }, this.#options);
    return approved.ok ? ok(describeRequest(approved.value, digest)) : approved;
  }

  #find(id: string): Result<RuleRequest, Problem> {
    const found = this.#options.store.find(id);
    if (!found.ok) return found;
    if (found.value !== null) return ok(found.value);
    return err(problem("request.not-found", `rule request ${quote(id)} not found`));
  }

  // From the text as it was submitted, each time: nothing that was made of it earlier is relied on.
  #plan(request: RuleRequest, overrides: Omit<ApproveBody, "digest">): Result<Planned, Problem> {
    const { environment } = this.#options.rules();
    const analyzed = analyzeSubmission(request.submission, environment);
    if (!analyzed.ok) return analyzed;
    const proposal = propose({ request, rules: analyzed.value.rules, overrides, environment });
    return proposal.ok ? ok({ analyzed: analyzed.value, proposal: proposal.value }) : proposal;
  }

  // What stands in the way of the proposal among the live rules and files, whatever the operator forces.
  #obstacle({ file, rules }: Proposal): Problem | null {
    const wanted = new Set(rules.map(({ id }) => id));
    const other = this.#options.rules().rules.find(({ id }) => wanted.has(id));
    if (other !== undefined) {
      const where = `${other.file}:${other.line}`;
      return problem("rule.duplicate-id", `rule id ${quote(other.id)} is already used at ${where}`);
    }
    const free = isFree(this.#options.rulesDir, file);
    if (!free.ok) return free.error;
    return free.value ? null : nameTaken(file);
  }

  #unreached(proposal: Proposal): Problem | null {
    for (const { rule, covers: [cover] } of reachOf(proposal, this.#options.rules())) {
      if (cover === undefined) continue;
      const by = `rule ${quote(cover.id)} of ${quote(cover.file)} decides before it`;
      return problem("rule.unreachable", `rule ${quote(rule.id)} could never be reached: ${by}`);
    }
    return null;
  }
}

type Planned = { readonly analyzed: Analyzed; readonly proposal: Proposal };

const STATUSES: Readonly<Record<RequestStatus, readonly Status[]>> = {
  pending: ["pending", "approving"],
  approved: ["approved"],
  rejected: ["rejected"],
};

function wrongReason(reason: string): string | null {
  const sizeBytes = new TextEncoder().encode(reason).length;
  if (sizeBytes < 1 || sizeBytes > REASON_LIMIT_BYTES) return `reason is not of 1 to ${REASON_LIMIT_BYTES} bytes`;
  if (!reason.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(reason)) return "reason holds control characters";
  return null;
}
