// The host socket's routes for the reference: what each is for, an example, and what it may be refused for.
import { DEFAULT_HOST_SOCKET } from "../../src/core/defaults.ts";
import { DEADLINES } from "../../src/server/deadline.ts";
import { HOST_ROUTES } from "../../src/api/host-app.ts";
import { BODY_LIMIT_BYTES } from "../../src/wire/agent-api.ts";
import { ContextSchema } from "../../src/wire/context-schema.ts";
import { EnvelopeList, EnvelopeState, EnvelopeView } from "../../src/wire/envelope-api.ts";
import {
  BridgeData,
  ContainerList,
  DecisionData,
  EvaluateBody,
  HealthData,
  ReloadData,
  RuleDetail,
  RuleList,
  RuleSummary,
  StatusData,
  TestBody,
  TestData,
} from "../../src/wire/host-api.ts";
import {
  ApproveBody,
  DecisionOfRequest,
  DenyBody,
  ProposalData,
  ProposedRuleData,
  RequesterData,
  RuleName,
  RuleRequestData,
  RuleRequestList,
  RuleRequestView,
} from "../../src/wire/request-host.ts";
import * as examples from "./host-examples.ts";
import { code } from "./markdown.ts";
import type { RouteEntry, SocketReference } from "./route.ts";
import { secondsText } from "./quantity-text.ts";

const REQUEST_PATH = { description: "The request's id.", example: examples.REQUEST_ID } as const;

const ENTRIES = {
  "POST /api/v1/rule/evaluate": {
    summary: "Decide about a context",
    description:
      "Runs the whole rule set, hooks included, and puts the decision on record. What the context leaves out " +
      "of `run` is filled in: `path` is the tool, `argv` the flags and then the arguments, `parsed` true.",
    body: { schema: EvaluateBody, example: { context: examples.CONTEXT } },
    answer: { status: 200, schema: DecisionData, example: examples.DECISION },
    problems: ["daemon.unprocessable", "daemon.bridge-down", "audit.unavailable", "daemon.evaluation-timeout"],
  },
  "POST /api/v1/rule/test": {
    summary: "Test an expression",
    description: "A bad expression is 200 too, with `result: false` and the error.",
    body: { schema: TestBody, example: { expression: "network.port == 443", context: examples.CONTEXT } },
    answer: { status: 200, schema: TestData, example: { result: true, error: null } },
    problems: ["daemon.unprocessable"],
  },
  "GET /api/v1/rules": {
    summary: "List the rules",
    description: "In evaluation order.",
    answer: { status: 200, schema: RuleList, example: [examples.RULE] },
    problems: [],
  },
  "GET /api/v1/rule/:id": {
    summary: "Show a rule",
    description: "By its id, or by the opaque id that an agent is shown.",
    path: { description: "The rule's id.", example: "registry-read" },
    answer: { status: 200, schema: RuleDetail, example: examples.RULE_DETAIL },
    problems: ["rule.not-found"],
  },
  "POST /api/v1/rules/reload": {
    summary: "Load the rules anew",
    description: "All files or none: with any error the rules before them stay in force.",
    answer: { status: 200, schema: ReloadData, example: { files_loaded: 3, rules_loaded: 12, warnings: [] } },
    problems: ["daemon.reload-failed"],
  },
  "GET /api/v1/health": {
    summary: "Ask whether the daemon can decide",
    description: "200 in either case; `ready` says which.",
    answer: { status: 200, schema: HealthData, example: { ready: false, reason: "bridge is down" } },
    problems: [],
  },
  "GET /api/v1/status": {
    summary: "Show the daemon's state",
    description: "",
    answer: { status: 200, schema: StatusData, example: examples.STATUS },
    problems: [],
  },
  "GET /api/v1/rule-requests": {
    summary: "List rule requests",
    description: "The oldest first.",
    query: {
      name: "status",
      values: ["pending", "approved", "rejected", "denied"],
      description: "Only those that stand so; denied is accepted for rejected.",
    },
    answer: { status: 200, schema: RuleRequestList, example: [examples.REQUEST] },
    problems: ["daemon.invalid-request", "request.store"],
  },
  "GET /api/v1/rule-request/:id": {
    summary: "Show a rule request",
    description:
      "With everything that its decision needs: what an approval would write, where, and what stands in its way.",
    path: REQUEST_PATH,
    answer: { status: 200, schema: RuleRequestView, example: examples.REQUEST_VIEW },
    problems: ["request.not-found", "request.store"],
  },
  "POST /api/v1/rule-request/:id/approve": {
    summary: "Approve a rule request",
    description:
      "Writes the file and loads the rules anew; what goes wrong on the way is undone. `rule_id` and `condition` " +
      "are for a request with one rule; one in words alone needs `condition`.",
    path: REQUEST_PATH,
    body: { schema: ApproveBody, optional: true, example: { priority: 1_000_010 } },
    answer: { status: 200, schema: RuleRequestData, example: { ...examples.REQUEST, status: "approved" } },
    problems: [
      "request.not-found",
      "request.not-pending",
      "request.changed",
      "request.unacceptable",
      "rule.unreachable",
      "rule.duplicate-id",
      "rule.schema",
      "rule.cel-syntax",
      "rule.unknown-field",
      "rule.type",
      "rule.regex",
      "rule.limit",
      "rule.not-boolean",
      "daemon.reload-failed",
      "request.file",
      "request.store",
      "audit.unavailable",
    ],
  },
  "POST /api/v1/rule-request/:id/deny": {
    summary: "Deny a rule request",
    description: "",
    path: REQUEST_PATH,
    body: { schema: DenyBody, optional: true, example: { reason: "use the mirror" } },
    answer: {
      status: 200,
      schema: RuleRequestData,
      example: { ...examples.REQUEST, status: "rejected", reason: "use the mirror" },
    },
    problems: [
      "request.not-found",
      "request.not-pending",
      "request.unacceptable",
      "request.store",
      "audit.unavailable",
    ],
  },
  "GET /api/v1/bridge": {
    summary: "Show the bridge",
    description: "",
    answer: { status: 200, schema: BridgeData, example: examples.BRIDGE },
    problems: [],
  },
  "POST /api/v1/bridge/up": {
    summary: "Bring the bridge up",
    description: "Makes it where there is none. Again is no failure.",
    answer: { status: 200, schema: BridgeData, example: examples.BRIDGE },
    problems: ["bridge.conflict", "bridge.refused"],
  },
  "POST /api/v1/bridge/down": {
    summary: "Take the bridge down",
    description: "It stays, and nothing is decided until it is up. Again is no failure.",
    answer: { status: 200, schema: BridgeData, example: { ...examples.BRIDGE, state: "down" } },
    problems: ["bridge.conflict", "bridge.refused"],
  },
  "GET /api/v1/containers": {
    summary: "List containers",
    description: "Those that have checked in, the first of them first.",
    answer: { status: 200, schema: ContainerList, example: [examples.CONTAINER] },
    problems: [],
  },
  "GET /api/v1/envelopes": {
    summary: "List envelopes",
    description: "The newest of each container that has checked in.",
    answer: { status: 200, schema: EnvelopeList, example: [examples.ENVELOPE] },
    problems: [],
  },
  "GET /api/v1/envelope/:container": {
    summary: "Show an envelope",
    description: "As it is kept, and whether it stands for verified work.",
    path: { description: "The container's full id, short id or name.", example: "builder" },
    answer: { status: 200, schema: EnvelopeView, example: examples.ENVELOPE_VIEW },
    problems: ["rulespec.not-found", "rulespec.store"],
  },
} as const satisfies Readonly<Record<(typeof HOST_ROUTES)[number], RouteEntry>>;

/** The host socket. */
export const HOST_SOCKET: SocketReference = {
  title: "Outcall host API",
  socket: DEFAULT_HOST_SOCKET,
  description: `For the operator, over the Unix socket ${code(DEFAULT_HOST_SOCKET)} (\`--socket\`), HTTP/1.1. ` +
    "The peer must be root or the daemon's user, and in no container. " +
    `Bodies have at most ${BODY_LIMIT_BYTES / 1024} KiB; headers within ${secondsText(DEADLINES.headersMs)}, bodies ` +
    `within ${secondsText(DEADLINES.bodyMs)}, idle for ${secondsText(DEADLINES.idleMs)}.`,
  routes: HOST_ROUTES,
  entries: ENTRIES,
  schemas: {
    Context: ContextSchema,
    EvaluateBody,
    DecisionData,
    TestBody,
    TestData,
    RuleList,
    RuleSummary,
    RuleDetail,
    ReloadData,
    HealthData,
    StatusData,
    BridgeData,
    ContainerList,
    RuleRequestList,
    RuleRequestData,
    RuleRequestView,
    RequesterData,
    ProposalData,
    ProposedRuleData,
    RuleName,
    DecisionOfRequest,
    ApproveBody,
    DenyBody,
    EnvelopeList,
    EnvelopeState,
    EnvelopeView,
  },
  always: [
    "daemon.invalid-request",
    "peer.unidentified",
    "daemon.forbidden",
    "daemon.too-large",
    "daemon.internal",
    "daemon.too-many-connections",
  ],
  ofBodies: ["daemon.invalid-request", "daemon.media-type"],
  ofTokens: [],
};
