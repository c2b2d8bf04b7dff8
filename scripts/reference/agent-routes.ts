// The agent socket's routes for the reference: what each is for, an example, and what it may be refused for.
import { DEFAULT_AGENT_SOCKET } from "../../src/core/defaults.ts";
import { METADATA_ENTRIES_LIMIT, METADATA_KEY_LIMIT } from "../../src/action/metadata.ts";
import { TARGET_LIMIT_BYTES } from "../../src/action/request-context.ts";
import { AGENT_ROUTES } from "../../src/api/agent-app.ts";
import { CONTAINER_CONNECTIONS_LIMIT } from "../../src/server/connection-limits.ts";
import { DEADLINES } from "../../src/server/deadline.ts";
import { SUBMISSION_LIMIT_BYTES, SUBMISSION_LIMIT_RULES } from "../../src/request/analyze-submission.ts";
import { WAITING_LIMIT } from "../../src/request/requests.ts";
import { ANY_FACTOR, DEFAULT_RATES, ENVELOPE_RATE } from "../../src/session/rates.ts";
import {
  BODY_LIMIT_BYTES,
  CheckinBody,
  CheckinData,
  CONTEXT_KEYS,
  PermissionBody,
  VerdictData,
} from "../../src/wire/agent-api.ts";
import { EnvelopeBody, EnvelopeSummary } from "../../src/wire/envelope-api.ts";
import { AccessRequestBody, AccessRequestData, RequestState, RuleRequestBody } from "../../src/wire/request-agent.ts";
import { code } from "./markdown.ts";
import type { RouteEntry, SocketReference } from "./route.ts";
import { rateText, secondsText } from "./quantity-text.ts";

const REQUEST_ID = "rr-0a1b2c3d4e5f";
const RULE_FILE = `version: "1"
rules:
  - id: read-docs
    condition: http.host == "docs.example" && http.method == "GET"
    action: allow
`;

/** What a submission of rules may be refused for. */
const OF_SUBMISSIONS = [
  "request.too-many",
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
  `rules; ${WAITING_LIMIT} may wait for one container; ${rateText(DEFAULT_RATES.ruleRequests)} are taken ` +
  "(`--agent-rule-rate`). The same text again, while it waits, is answered with the same id.";

const ENTRIES = {
  "POST /v1/checkin": {
    summary: "Check in",
    description: "Gives the container's session. Again, also at the same time, gives the same one.",
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
    summary: "Ask whether an action may be done",
    description: "The answer is a verdict, also for a denial: 200 with `allowed: false`. " +
      'A decision that takes too long (`--agent-timeout`) is denied with `"evaluation timeout"`, one that cannot be put ' +
      'on record with `"decision log unavailable"`.\n\n' +
      `The target has at most ${
        TARGET_LIMIT_BYTES / 1024
      } KiB. Metadata has at most ${METADATA_ENTRIES_LIMIT} entries, ` +
      `their keys 1 to ${METADATA_KEY_LIMIT} characters, their values strings, numbers, booleans or lists of strings. ` +
      "[What becomes of them](rule-language.md#what-an-agents-request-sets) depends on the kind of action. " +
      `${rateText(DEFAULT_RATES.permissions)} are taken (\`--agent-perm-rate\`).`,
    body: {
      schema: PermissionBody,
      example: { action_type: "tool_exec", target: "/usr/bin/git", metadata: { argv: ["status"], cwd: "/work" } },
    },
    token: true,
    answer: {
      status: 200,
      schema: VerdictData,
      example: { allowed: false, matched_rule: "rule-5d41402abc4b", reason: "ask before you do that" },
    },
    problems: ["daemon.unprocessable", "daemon.bridge-down"],
  },
  "POST /v1/requests/rules": {
    summary: "Ask the operator for rules",
    description:
      "Either a whole rule file, or the three members of one rule. It is analysed alone, and changes nothing " +
      `until the operator approves it. ${SUBMISSION_LIMITS}`,
    body: { schema: RuleRequestBody, example: { rule_file: RULE_FILE } },
    token: true,
    answer: { status: 201, schema: RequestState, example: { id: REQUEST_ID, status: "pending", reason: null } },
    problems: OF_SUBMISSIONS,
  },
  "POST /api/v1/agent/rule-request": {
    summary: "Ask the operator for access, in words",
    description: "With a condition if the agent knows one; it is analysed as above. Limits as above.",
    body: {
      schema: AccessRequestBody,
      example: {
        description: "The build reads the package index.",
        requested_access: "GET https://docs.example/",
        suggested_condition: 'http.host == "docs.example" && http.method == "GET"',
      },
    },
    token: true,
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
    summary: "See how a request stands",
    description: "Another container's request is as unknown as none.",
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
    summary: "Hand in facts",
    description: "The facts are held against the operator's rulespec; rules read the outcome as `envelope`. " +
      `Of the rulespec the answer has the notes of failed predicates and nothing else. ${
        rateText(ENVELOPE_RATE)
      } are taken.`,
    body: { schema: EnvelopeBody, example: { facts: "facts:\n  tests: {failed: 0}\n" } },
    token: true,
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
} as const satisfies Readonly<Record<(typeof AGENT_ROUTES)[number], RouteEntry>>;

/** The agent socket. */
export const AGENT_SOCKET: SocketReference = {
  title: "Outcall agent API",
  socket: DEFAULT_AGENT_SOCKET,
  description: `For containers, over the Unix socket ${code(DEFAULT_AGENT_SOCKET)} (\`--agent-socket\`), HTTP/1.1. ` +
    "Who is asking is what the kernel says of the connection: a process of a container that the daemon knows. " +
    "A token comes from a check-in and stands in the Authorization header, or as `session_token` in the body; both given " +
    "and different is as wrong as none.\n\n" +
    "Checked in this order: identity (403, 503), any requests too often (429), size (413), media type (415), JSON and " +
    "shape (400), token (401), rate (429), meaning (422). " +
    `Bodies have at most ${
      BODY_LIMIT_BYTES / 1024
    } KiB. For one container: ${CONTAINER_CONNECTIONS_LIMIT} connections; ` +
    `any requests, refused ones included, at most ${ANY_FACTOR} times the rate of permission requests, and the one over ` +
    `it ends the connection; headers within ${secondsText(DEADLINES.headersMs)}, bodies within ` +
    `${secondsText(DEADLINES.bodyMs)}, idle for ${secondsText(DEADLINES.idleMs)}.`,
  routes: AGENT_ROUTES,
  entries: ENTRIES,
  schemas: {
    CheckinBody,
    CheckinData,
    PermissionBody,
    VerdictData,
    RuleRequestBody,
    AccessRequestBody,
    AccessRequestData,
    RequestState,
    EnvelopeBody,
    EnvelopeSummary,
  },
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
