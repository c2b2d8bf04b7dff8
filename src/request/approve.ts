// An approval, step by step: set the state `approving` with the file's name, record it, write the file, reload the rules,
// record the result, set the state `approved`. If a step fails, the steps before it are undone here. If the daemon is killed
// between two steps, the next start undoes them (recover.ts).
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import type { Decider, RuleRequest, StoredState } from "../wire/stored-request.ts";
import { removeApproved, writeApproved } from "./approved-file.ts";
import type { KeepEvent, RequestEvent } from "./event.ts";
import type { RequestStore } from "./request-store.ts";

/** Reloads the rules. If they do not load, the rules in force stay. */
type Reload = () => Promise<Result<unknown, Problem>>;

/** The parts of the daemon that an approval needs. */
export type ApproveDeps = {
  readonly store: RequestStore;
  readonly rulesDir: string;
  /** The rules in force now. */
  readonly rules: () => RuleSet;
  readonly reload: Reload;
  readonly keep: KeepEvent;
};

/** The file of an approval: its name, its text and the ids of its rules. */
type ApprovedRules = { readonly file: string; readonly text: string; readonly ruleIds: readonly string[] };

/** The request, its proposal and the operator who approves it. */
export type Approval = {
  readonly request: RuleRequest;
  readonly proposal: ApprovedRules;
  readonly digest: string;
  readonly by: Decider;
  readonly at: string;
};

/** Approves a pending request and returns it in its new state. */
export async function approve(approval: Approval, approving: ApproveDeps): Promise<Result<RuleRequest, Problem>> {
  const { request, proposal, digest, by, at } = approval;
  const { store, rulesDir, keep } = approving;
  const state = { at, by, digest, file: proposal.file };
  const begun: RuleRequest = { ...request, state: { status: "approving", ...state } };
  const taken = store.change(begun, "pending");
  if (!taken.ok) return taken;
  if (!taken.value) return err(notPending(request.id));
  const kept = await keep(eventOf(approval, "approving"));
  if (!kept.ok) return await release(approval, approving, kept.error);
  const written = writeApproved(rulesDir, proposal.file, proposal.text);
  if (!written.ok) return await undo(approval, approving, written.error);
  // The existing file is not ours, so it must not be removed.
  if (!written.value) return await release(approval, approving, nameTaken(proposal.file));
  const live = await putInForce(proposal, approving);
  if (!live.ok) return await undo(approval, approving, live.error);
  const recorded = await keep(eventOf(approval, "approved"));
  if (!recorded.ok) return await undo(approval, approving, recorded.error);
  const done: RuleRequest = { ...request, state: { status: "approved", ...state } };
  const changed = store.change(done, "approving");
  return changed.ok ? ok(done) : await undo(approval, approving, changed.error);
}

/** The problem for a request that is decided, or is being decided. */
export function notPending(id: string, status: StoredState["status"] = "approving"): Problem {
  return problem("request.not-pending", `rule request ${quote(id)} is not pending: it is ${status}`);
}

/** The problem for a file name that is in use. */
export function nameTaken(file: string): Problem {
  return problem("request.unacceptable", `rule request: file ${quote(file)} exists already`);
}

async function putInForce({ file, ruleIds }: ApprovedRules, approving: ApproveDeps): Promise<Result<null, Problem>> {
  const reloaded = await approving.reload();
  if (!reloaded.ok) {
    const { code, message } = reloaded.error;
    return err(problem(code, `not approved: ${message}`, { cause: reloaded.error }));
  }
  const live = approving.rules().rules.filter((rule) => rule.file === file).map(({ id }) => id);
  if (live.length === ruleIds.length && ruleIds.every((id) => live.includes(id))) return ok(null);
  return err(problem("request.file", `not approved: the rules of ${quote(file)} are not in force`));
}

// Removes the file first. While the file may exist, the request stays `approving`, so the next start finds it.
async function undo(approval: Approval, approving: ApproveDeps, why: Problem): Promise<Result<never, Problem>> {
  const removed = removeApproved(approving.rulesDir, approval.proposal.file, approval.request.id);
  if (!removed.ok) return err(removed.error);
  if (removed.value) {
    const reloaded = await approving.reload();
    // If the directory does not load without the file either, the reload has reported that. It only matters here that no rule
    // of the file is still in force.
    const { file } = approval.proposal;
    if (!reloaded.ok && approving.rules().rules.some((rule) => rule.file === file)) return reloaded;
  }
  return await release(approval, approving, why);
}

async function release(approval: Approval, approving: ApproveDeps, why: Problem): Promise<Result<never, Problem>> {
  const kept = await approving.keep(eventOf(approval, "reverted", why.message));
  const changed = approving.store.change({ ...approval.request, state: { status: "pending" } }, "approving");
  return err(!changed.ok ? changed.error : kept.ok ? why : kept.error);
}

function eventOf(approval: Approval, kind: RequestEvent["kind"], reason: string | null = null): RequestEvent {
  const { request, proposal, digest, by, at } = approval;
  const { file, ruleIds: rules } = proposal;
  return { kind, request: request.id, container: request.requester.id, at, by, digest, file, rules, reason };
}
