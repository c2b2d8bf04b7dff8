// The rule requests of one daemon. Containers submit them; only the operator approves or denies them. A pending request never
// affects decisions. Approvals run one after another.
import { randomBytes } from "node:crypto";
import { invariant } from "../core/invariant.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText, quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import type { ApproveBody, ProposalData, RuleRequestData, RuleRequestView } from "../wire/request-host.ts";
import type { RequestStatus } from "../wire/request-agent.ts";
import type { Decider, Requester, RuleRequest, Submission } from "../wire/stored-request.ts";
import type { Overrides, Proposed } from "./analysis-jobs.ts";
import { type Analyze, OPERATOR } from "./analysis-thread.ts";
import { approve, type ApproveDeps, nameTaken, notPending } from "./approve.ts";
import { isFree } from "./approved-file.ts";
import { describeRequest, viewRequest } from "./describe-request.ts";
import { digestOfRequest } from "./proposal-digest.ts";
import { liveRulesText } from "./reach.ts";
import type { Status } from "./request-store.ts";
import { digestOfSubmission } from "./submission.ts";

/** Most pending requests of one container. */
export const WAITING_LIMIT = 20;

/** Most pending requests in all: containers come and go, and their requests must not fill the disk. */
export const ALL_WAITING_LIMIT = 1_000;

/** Longest reason of a denial, in bytes. */
export const REASON_LIMIT_BYTES = 1_024;

/** The options of the requests. */
export type RequestsOptions = ApproveDeps & {
  /** Analyses submissions, in another thread. */
  readonly analyze: Analyze;
  readonly now: () => Date;
};

/** Most proposals that are cached for operators who look again. Each takes some tens of kilobytes. */
const SHOWN_LIMIT = 32;

/** All requests. */
export class RuleRequests {
  readonly #options: RequestsOptions;
  /** Proposals by the digest of the request and the rules in force. */
  readonly #shown = new Map<string, Proposed>();
  #lastApproval: Promise<unknown> = Promise.resolve();

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Accepts a request. If the container has a pending request with the same text, returns that one. */
  async submit(requester: Requester, submission: Submission): Promise<Result<RuleRequest, Problem>> {
    const { store, now, analyze } = this.#options;
    const textDigest = digestOfSubmission(submission);
    const before = this.#findPending(requester.id, textDigest);
    if (!before.ok) return before;
    if (before.value !== null) return ok(before.value);
    const id = `rr-${randomBytes(6).toString("hex")}`;
    const reply = await analyze({ kind: "submission", request: { id, requester, submission } }, requester.id);
    if (!reply.ok) return reply;
    if (reply.value.kind === "refused") return err(reply.value.problem);
    invariant(reply.value.kind === "submission", "the reply to a submission accepts or refuses it");
    // The container may have submitted other requests during the analysis.
    const after = this.#findPending(requester.id, textDigest);
    if (!after.ok) return after;
    if (after.value !== null) return ok(after.value);
    const submittedAt = now().toISOString();
    const state = { status: "pending" } as const;
    const request: RuleRequest = { id, submittedAt, requester, submission, ...reply.value.taken, state };
    const added = store.add(request, textDigest);
    return added.ok ? ok(request) : added;
  }

  // The pending request with the same text, or null if there is room for another.
  #findPending(containerId: string, textDigest: string): Result<RuleRequest | null, Problem> {
    const { store } = this.#options;
    const same = store.findWaiting(containerId, textDigest);
    if (!same.ok || same.value !== null) return same;
    const waiting = store.countWaiting(containerId);
    if (!waiting.ok) return waiting;
    const { ofContainer, inAll } = waiting.value;
    if (ofContainer < WAITING_LIMIT && inAll < ALL_WAITING_LIMIT) return ok(null);
    return err(problem("request.too-many", "too many rule requests wait for the operator"));
  }

  /** The container's own request with this id. Requests of other containers return 404, as if they did not exist. */
  findOf(containerId: string, id: string): Result<RuleRequest, Problem> {
    const found = this.#options.store.find(id);
    if (!found.ok) return found;
    if (found.value?.requester.id === containerId) return ok(found.value);
    return err(problem("request.not-found", `rule request ${escapeText(id)} not found`));
  }

  /** The requests with this status, or all of them, oldest first. */
  list(status: RequestStatus | null): Result<readonly RuleRequestData[], Problem> {
    const { store, rules } = this.#options;
    const found = store.list(status === null ? [...STATUSES["pending"], "approved", "rejected"] : STATUSES[status]);
    return found.ok ? ok(found.value.map((request) => describeRequest(request, rules().digest))) : found;
  }

  /** The number of requests that wait for the operator; null if the store cannot be read. */
  countPending(): number | null {
    const waiting = this.#options.store.countWaiting("");
    return waiting.ok ? waiting.value.inAll : null;
  }

  /** Everything that an operator needs to decide about one request. */
  async view(id: string): Promise<Result<RuleRequestView, Problem>> {
    const request = this.#find(id);
    if (!request.ok) return request;
    const rules = this.#options.rules();
    const shown = { ruleSetDigest: rules.digest, proposal: null, problem: null };
    if (request.value.state.status !== "pending") return ok(viewRequest(request.value, shown));
    const proposed = await this.#proposeOnce(request.value, rules);
    if (!proposed.ok) return ok(viewRequest(request.value, { ...shown, problem: proposed.error.message }));
    const { data } = proposed.value;
    const obstacle = this.#obstacle(data)?.message ?? null;
    return ok(viewRequest(request.value, { ...shown, proposal: data, problem: obstacle }));
  }

  /** Approves a request, after all earlier approvals have ended. */
  approve(id: string, body: ApproveBody, by: Decider): Promise<Result<RuleRequestData, Problem>> {
    const turn = this.#lastApproval.then(() => this.#approve(id, body, by));
    // The caller gets the failure; the next approval only waits for the end of this one.
    this.#lastApproval = turn.catch(() => null);
    return turn;
  }

  /** Denies a request, with a reason that the agent may read. */
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
    if (shown !== undefined && shown !== digest) return err(changed(id));
    const proposed = await this.#propose(request.value, overrides, live);
    if (!proposed.ok) return proposed;
    if (this.#options.rules().digest !== live.digest) return err(changed(id));
    const { text, data } = proposed.value;
    const obstacle = this.#obstacle(data) ?? (overrides.force === true ? null : unreached(data));
    if (obstacle !== null) return err(obstacle);
    const proposal = { file: data.file, text, ruleIds: data.rules.map((rule) => rule.id) };
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

  // The same request and the same rules give the same proposal, so it is made once, however often an operator looks.
  async #proposeOnce(request: RuleRequest, rules: RuleSet): Promise<Result<Proposed, Problem>> {
    const digest = digestOfRequest(request, rules.digest);
    const known = this.#shown.get(digest);
    if (known !== undefined) return ok(known);
    const proposed = await this.#propose(request, {}, rules);
    if (!proposed.ok) return proposed;
    this.#shown.set(digest, proposed.value);
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > SHOWN_LIMIT && oldest !== undefined) this.#shown.delete(oldest);
    return proposed;
  }

  async #propose(request: RuleRequest, overrides: Overrides, rules: RuleSet): Promise<Result<Proposed, Problem>> {
    const { id, requester, submission } = request;
    const source = { id, requester, submission };
    const job = { kind: "proposal", request: source, overrides, liveRules: liveRulesText(rules) } as const;
    const reply = await this.#options.analyze(job, OPERATOR);
    if (!reply.ok) return reply;
    if (reply.value.kind === "refused") return err(reply.value.problem);
    invariant(reply.value.kind === "proposal", "the reply to a proposal makes or refuses it");
    return ok(reply.value.proposed);
  }

  // A rule or file that prevents the approval, even with `force`.
  #obstacle({ file, rules }: ProposalData): Problem | null {
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
}

function unreached({ rules }: ProposalData): Problem | null {
  for (const { id, covered_by: [cover] } of rules) {
    if (cover === undefined) continue;
    const by = `rule ${quote(cover.rule)} of ${quote(cover.file)} decides before it`;
    return problem("rule.unreachable", `rule ${quote(id)} could never be reached: ${by}`);
  }
  return null;
}

function changed(id: string): Problem {
  const message = `rule request ${quote(id)}, or the rules beside it, changed since it was shown: look at it again`;
  return problem("request.changed", message);
}

const STATUSES: Readonly<Record<RequestStatus, readonly Status[]>> = {
  pending: ["pending", "approving"],
  approved: ["approved"],
  rejected: ["rejected"],
};

function wrongReason(reason: string): string | null {
  const sizeBytes = new TextEncoder().encode(reason).length;
  if (sizeBytes < 1 || sizeBytes > REASON_LIMIT_BYTES) return `the reason must have 1 to ${REASON_LIMIT_BYTES} bytes`;
  if (!reason.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(reason)) {
    return "the reason must have no control characters";
  }
  return null;
}
