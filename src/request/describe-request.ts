// A stored request -> its views for the agent and for the operator.
import { invariant } from "../core/invariant.ts";
import type { Earlier } from "../rule/cover.ts";
import type { AccessRequestData, RequestState, RequestStatus } from "../wire/request-agent.ts";
import type { ProposalData, RuleName, RuleRequestData, RuleRequestView } from "../wire/request-host.ts";
import type { RuleRequest, Submission } from "../wire/stored-request.ts";
import type { Analyzed } from "./analyze-submission.ts";
import { digestOfRequest } from "./proposal-digest.ts";
import { hostsOf } from "./hosts.ts";
import type { Proposal } from "./propose.ts";
import { isAlreadyAllowed, type Reach } from "./reach.ts";

/** The status on the wire. A request that is being approved is still pending. */
function statusOf({ state }: RuleRequest): RequestStatus {
  return state.status === "approving" ? "pending" : state.status;
}

/** The status of a request, for the agent that made it. */
export function describeState(request: RuleRequest): RequestState {
  return { id: request.id, status: statusOf(request), reason: reasonOf(request) };
}

/** A request with the members of S003-IF-006, for the agent that made it. */
export function describeAccess(request: RuleRequest): AccessRequestData {
  return {
    id: request.id,
    submitted_at: request.submittedAt,
    status: statusOf(request),
    description: request.description,
    requested_access: request.requestedAccess,
    suggested_condition: request.suggestedCondition,
  };
}

/** A request for the operator. A decided request keeps the digest with which it was decided. */
export function describeRequest(request: RuleRequest, ruleSetDigest: string): RuleRequestData {
  const { id, name, image } = request.requester;
  const { state } = request;
  return {
    ...describeAccess(request),
    rule_file: request.ruleFile,
    container: { id, name, image },
    reason: reasonOf(request),
    digest: state.status === "pending" ? digestOfRequest(request, ruleSetDigest) : state.digest,
  };
}

/** The parts of a view besides the request. */
export type ViewParts = {
  readonly ruleSetDigest: string;
  readonly proposal: ProposalData | null;
  readonly problem: string | null;
};

/** The operator's view of a request. */
export function viewRequest(request: RuleRequest, { ruleSetDigest, proposal, problem }: ViewParts): RuleRequestView {
  return {
    request: describeRequest(request, ruleSetDigest),
    submission: submittedText(request.submission),
    proposal,
    problem,
    decided: decidedOf(request),
  };
}

/** The operator's view of a proposal, and the relation of its rules to the rules in force. */
export function describeProposal(
  proposal: Proposal,
  reaches: readonly Reach[],
  { warnings }: Pick<Analyzed, "warnings">,
): ProposalData {
  return {
    file: proposal.file,
    scope: proposal.scope,
    rules: reaches.map(({ rule, covers }) => ({
      id: rule.id,
      action: rule.action,
      condition: rule.condition,
      priority: rule.priority,
      log: rule.log,
      description: rule.description,
      ...(rule.expires === null ? {} : { expires: rule.expires }),
      hosts: [...hostsOf(rule.tree)],
      covered_by: covers.map(nameRule),
    })),
    already_allowed: isAlreadyAllowed(proposal, reaches),
    warnings: [...warnings],
  };
}

/** The texts of a submission under the names of their members; a rule file is shown as it was sent. */
function submittedText(submission: Submission): string {
  switch (submission.form) {
    case "file":
      return submission.ruleFile;
    case "rule": {
      const { description, condition, action } = submission;
      return `description: ${description}\ncondition: ${condition}\naction: ${action}`;
    }
    case "access": {
      const { description, requestedAccess, suggestedCondition } = submission;
      const condition = suggestedCondition === null ? "" : `\nsuggested_condition: ${suggestedCondition}`;
      return `description: ${description}\nrequested_access: ${requestedAccess}${condition}`;
    }
  }
}

function nameRule({ id, file, action }: Earlier): RuleName {
  invariant(action !== "enrich", "an enrich rule decides nothing");
  return { rule: id, file, action };
}

function reasonOf({ state }: RuleRequest): string | null {
  return state.status === "rejected" ? state.reason : null;
}

function decidedOf({ state }: RuleRequest): RuleRequestView["decided"] {
  if (state.status === "pending") return null;
  const { at, by } = state;
  return { at, uid: by.uid, name: by.name, file: state.status === "rejected" ? null : state.file };
}
