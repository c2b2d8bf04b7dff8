// The routes of the agent socket. No answer may reveal the policy, the host or other containers (S004-FR-010).
import { METADATA_ENTRIES_LIMIT, METADATA_KEY_LIMIT } from "../action/metadata.ts";
import { TARGET_LIMIT_BYTES } from "../action/request-context.ts";
import type { Problem } from "../core/problem.ts";
import { SUBMISSION_LIMIT_BYTES, SUBMISSION_LIMIT_RULES } from "../request/submission-limits.ts";
import { ruleSubmission } from "../request/submission.ts";
import { WAITING_LIMIT } from "../request/requests.ts";
import { DEFAULT_RATES, ENVELOPE_RATE, type RateKind } from "../session/rates.ts";
import {
  CheckinBody,
  CheckinData,
  CONTEXT_KEYS,
  PermissionBody,
  RECORD_HEADER,
  VerdictData,
} from "../wire/agent-api.ts";
import { EnvelopeBody, EnvelopeSummary } from "../wire/envelope-api.ts";
import { AccessRequestBody, AccessRequestData, RequestState, RuleRequestBody } from "../wire/request-agent.ts";
import type { CommonProblems, Route, Routes } from "../wire/route.ts";
import { rateText } from "./rate-text.ts";

/** A route of the agent socket. */
export type AgentRoute = Route & {
  /** The rate window in which a request counts, besides the container's window of all requests. */
  readonly rate?: RateKind;
};

const REQUEST_ID = "rr-0a1b2c3d4e5f";
const RULE_FILE = `version: "1"
rules:
  - id: read-docs
    condition: http.host == "docs.example" && http.method == "GET"
    action: allow
`;

/** The errors of submissions of rules. */
const OF_SUBMISSIONS = [
  "request.too-many",
  "request.not-analyzed",
  "request.unacceptable",
  "rule.yaml",
  "rule.schema",
  "rule.version",
  "rule.duplicate-id",
  "rule.undefined-definition",
  "rule.definition-cycle",
  "rule.cel-syntax",
  "rule.unknown-field",
  "rule.type",
  "rule.regex",
  "rule.limit",
  "rule.unsupported",
  "rule.not-boolean",
  "request.store",
] as const;

const SUBMISSION_LIMITS =
  `A submission has at most ${SUBMISSION_LIMIT_BYTES / 1024} KiB and ${SUBMISSION_LIMIT_RULES} ` +
  `rules. A container may have ${WAITING_LIMIT} pending requests, and submit ${rateText(DEFAULT_RATES.ruleRequests)} ` +
  "(`--agent-rule-rate`). A repeated text gets the same id while the first request is pending.";

// A whole file or the members of one rule: a schema of both would not say which member is missing.
function wrongForm(body: RuleRequestBody): Problem | null {
  const submission = ruleSubmission(body);
  return submission.ok ? null : submission.error;
}

/** Every route of the agent socket. */
export const AGENT_ROUTES = {
  "POST /v1/checkin": {
    operation: "agent.checkin",
    summary: "Check in",
    description: "Gives the container's session. A repeated check-in, also a concurrent one, gives the same session.",
    body: { schema: CheckinBody, optional: true, example: {} },
    answer: {
      status: 200,
      schema: CheckinData,
      example: {
        container_id: "ctr-3f2a9c0d1e4b",
        session_token: "tok-kq2Zr0b7vJxw1Yt3Gd5nC8sLhEaPuMiO6fXyTzWqRBk",
        context_keys: [...CONTEXT_KEYS],
      },
    },
    problems: ["session.full"],
  },
  "POST /v1/permissions/check": {
    operation: "agent.check",
    summary: "Ask whether an action is allowed",
    description: "The answer is a verdict, also for a denial: 200 with `allowed: false`. " +
      'A decision that takes too long (`--agent-timeout`) is denied with `"evaluation timeout"`, one that cannot be put ' +
      'on record with `"decision log unavailable"`. Every other denial has the header `outcall-record`.\n\n' +
      `The target has at most ${
        TARGET_LIMIT_BYTES / 1024
      } KiB. Metadata has at most ${METADATA_ENTRIES_LIMIT} entries, ` +
      `their keys 1 to ${METADATA_KEY_LIMIT} characters, their values strings, numbers, booleans or lists of strings. ` +
      "[What becomes of them](rule-language.md#what-an-agents-request-sets) depends on the kind of action. " +
      `The limit is ${rateText(DEFAULT_RATES.permissions)} (\`--agent-perm-rate\`).`,
    body: {
      schema: PermissionBody,
      example: { action_type: "tool_exec", target: "/usr/bin/git", metadata: { argv: ["status"], cwd: "/work" } },
    },
    token: true,
    rate: "permissions",
    answer: {
      status: 200,
      schema: VerdictData,
      example: { allowed: false, matched_rule: "rule-5d41402abc4b", reason: "ask before you do that" },
      header: {
        name: RECORD_HEADER,
        description: "On a denial that is on record: the opaque id of the record, which `outcall log show` accepts.",
        pattern: "^rec-[0-9a-f]{12}$",
      },
    },
    problems: ["daemon.unprocessable", "daemon.bridge-down"],
  },
  "POST /v1/requests/rules": {
    operation: "agent.rule-request",
    summary: "Ask the operator for rules",
    description:
      "Either a whole rule file, or the three members of one rule. The daemon analyses it without the other rules. It has no " +
      `effect until the operator approves it. ${SUBMISSION_LIMITS}`,
    body: { schema: RuleRequestBody, check: wrongForm, example: { rule_file: RULE_FILE } },
    token: true,
    rate: "ruleRequests",
    answer: { status: 201, schema: RequestState, example: { id: REQUEST_ID, status: "pending", reason: null } },
    problems: OF_SUBMISSIONS,
  },
  "POST /api/v1/agent/rule-request": {
    operation: "agent.rule-request",
    summary: "Ask the operator for access, in words",
    description: "The condition is optional; it is analysed like a submitted rule. The limits are the same.",
    body: {
      schema: AccessRequestBody,
      example: {
        description: "The build reads the package index.",
        requested_access: "GET https://docs.example/",
        suggested_condition: 'http.host == "docs.example" && http.method == "GET"',
      },
    },
    token: true,
    rate: "ruleRequests",
    answer: {
      status: 201,
      schema: AccessRequestData,
      example: {
        id: REQUEST_ID,
        submitted_at: "2026-11-21T12:00:00.000Z",
        status: "pending",
        description: "The build reads the package index.",
        requested_access: "GET https://docs.example/",
        suggested_condition: 'http.host == "docs.example" && http.method == "GET"',
      },
    },
    problems: OF_SUBMISSIONS,
  },
  "GET /v1/requests/rules/:id": {
    operation: "agent.rule-status",
    summary: "Show the state of a request",
    description: "Requests of other containers return 404, as if they did not exist.",
    path: { description: "The request's id.", example: REQUEST_ID },
    token: true,
    answer: {
      status: 200,
      schema: RequestState,
      example: { id: REQUEST_ID, status: "rejected", reason: "use the mirror" },
    },
    problems: ["request.not-found", "request.store"],
  },
  "POST /v1/envelopes": {
    operation: "agent.envelope",
    summary: "Submit facts",
    description: "The daemon checks the facts against the operator's rulespec; rules read the outcome as `envelope`. " +
      `Of the rulespec, the answer has only the notes of failed predicates. The limit is ${rateText(ENVELOPE_RATE)}.`,
    body: { schema: EnvelopeBody, example: { facts: "facts:\n  tests: {failed: 0}\n" } },
    token: true,
    rate: "envelopes",
    answer: {
      status: 201,
      schema: EnvelopeSummary,
      example: {
        session: "ctr-3f2a9c0d1e4b",
        outcome: "failed",
        passed: 1,
        failed: 1,
        skipped: 0,
        total: 2,
        failures: ["run the linter before you push"],
      },
    },
    problems: ["daemon.unprocessable", "rulespec.store"],
  },
} as const satisfies Routes<AgentRoute>;

/** The errors that its routes have in common. */
export const AGENT_PROBLEMS: CommonProblems = {
  always: [
    "daemon.invalid-request",
    "peer.unidentified",
    "container.unknown",
    "daemon.too-large",
    "session.rate-limited",
    "daemon.internal",
    "container.unavailable",
    "daemon.too-many-connections",
  ],
  ofBodies: ["daemon.invalid-request", "daemon.media-type"],
  ofTokens: ["session.bad-token"],
};
