// The routes of the host socket, for the operator only.
import type { Rights } from "../container/host-peer.ts";
import { EnvelopeList, EnvelopeView } from "../wire/envelope-api.ts";
import {
  BridgeData,
  ContainerList,
  DecisionData,
  EvaluateBody,
  HealthData,
  ReloadData,
  RuleDetail,
  RuleList,
  StatusData,
  TestBody,
  TestData,
} from "../wire/host-api.ts";
import {
  ApproveBody,
  DenyBody,
  RuleRequestData,
  RuleRequestList,
  RuleRequestQuery,
  RuleRequestView,
} from "../wire/request-host.ts";
import type { CommonProblems, Route, Routes } from "../wire/route.ts";
import * as examples from "./host-examples.ts";

/** A route of the host socket, and the rights that a peer needs to call it. */
export type HostRoute = Route & { readonly rights: Rights };

const REQUEST_PATH = { description: "The request's id.", example: examples.REQUEST_ID } as const;

/** Every route of the host socket. */
export const HOST_ROUTES = {
  "POST /api/v1/rule/evaluate": {
    operation: "host.evaluate",
    rights: "read",
    summary: "Decide about a context",
    description: "Runs the whole rule set, hooks included, and records the decision. Members of `run` that the " +
      "context leaves out are filled in: `path` is the tool, `argv` the flags and then the arguments, `parsed` true.",
    body: { schema: EvaluateBody, bounded: true, example: { context: examples.CONTEXT } },
    answer: { status: 200, schema: DecisionData, example: examples.DECISION },
    problems: ["daemon.unprocessable", "daemon.bridge-down", "audit.unavailable", "daemon.evaluation-timeout"],
  },
  "POST /api/v1/rule/test": {
    operation: "host.test",
    rights: "read",
    summary: "Test an expression",
    description: "A bad expression is also answered with 200, with `result: false` and the error.",
    body: {
      schema: TestBody,
      bounded: true,
      example: { expression: "network.port == 443", context: examples.CONTEXT },
    },
    answer: { status: 200, schema: TestData, example: { result: true, error: null } },
    problems: ["daemon.unprocessable"],
  },
  "GET /api/v1/rules": {
    operation: "host.rule-list",
    rights: "read",
    summary: "List the rules",
    description: "In evaluation order.",
    answer: { status: 200, schema: RuleList, example: [examples.RULE] },
    problems: [],
  },
  "GET /api/v1/rule/:id": {
    operation: "host.rule",
    rights: "read",
    summary: "Show a rule",
    description: "By its id, or by the opaque id that agents see.",
    path: { description: "The rule's id.", example: "registry-read" },
    answer: { status: 200, schema: RuleDetail, example: examples.RULE_DETAIL },
    problems: ["rule.not-found"],
  },
  "POST /api/v1/rules/reload": {
    operation: "host.reload",
    rights: "write",
    summary: "Reload the rules",
    description: "All files or none: if any file has an error, the previous rules stay in force.",
    answer: { status: 200, schema: ReloadData, example: { files_loaded: 3, rules_loaded: 12, warnings: [] } },
    problems: ["daemon.read-only", "daemon.reload-failed"],
  },
  "GET /api/v1/health": {
    operation: "host.health",
    rights: "read",
    summary: "Ask whether the daemon can decide",
    description: "The status is 200 in both cases; see `ready`.",
    answer: { status: 200, schema: HealthData, example: { ready: false, reason: "bridge is down" } },
    problems: [],
  },
  "GET /api/v1/status": {
    operation: "host.status",
    rights: "read",
    summary: "Show the daemon's state",
    description: "",
    answer: { status: 200, schema: StatusData, example: examples.STATUS },
    problems: [],
  },
  "GET /api/v1/rule-requests": {
    operation: "host.rule-request-list",
    rights: "read",
    summary: "List rule requests",
    description: "The oldest first.",
    query: RuleRequestQuery,
    answer: { status: 200, schema: RuleRequestList, example: [examples.REQUEST] },
    problems: ["daemon.invalid-request", "request.store"],
  },
  "GET /api/v1/rule-request/:id": {
    operation: "host.rule-request",
    rights: "read",
    summary: "Show a rule request",
    description:
      "With everything that an operator needs to decide: the file that an approval would write, and any problem with it.",
    path: REQUEST_PATH,
    answer: { status: 200, schema: RuleRequestView, example: examples.REQUEST_VIEW },
    problems: ["request.not-found", "request.store"],
  },
  "POST /api/v1/rule-request/:id/approve": {
    operation: "host.approve",
    rights: "write",
    summary: "Approve a rule request",
    description:
      "Writes the file and reloads the rules; if a step fails, the steps before it are undone. `rule_id` and `condition` " +
      "are for requests with one rule; a request without a condition needs `condition`.",
    path: REQUEST_PATH,
    body: { schema: ApproveBody, optional: true, example: { priority: 1_000_010 } },
    answer: { status: 200, schema: RuleRequestData, example: { ...examples.REQUEST, status: "approved" } },
    problems: [
      "daemon.read-only",
      "request.not-found",
      "request.not-pending",
      "request.changed",
      "request.not-analyzed",
      "request.unacceptable",
      "rule.unreachable",
      "rule.duplicate-id",
      "rule.schema",
      "rule.cel-syntax",
      "rule.undefined-definition",
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
    operation: "host.deny",
    rights: "write",
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
      "daemon.read-only",
      "request.not-found",
      "request.not-pending",
      "request.unacceptable",
      "request.store",
      "audit.unavailable",
    ],
  },
  "GET /api/v1/bridge": {
    operation: "host.bridge",
    rights: "read",
    summary: "Show the bridge",
    description: "",
    answer: { status: 200, schema: BridgeData, example: examples.BRIDGE },
    problems: [],
  },
  "POST /api/v1/bridge/up": {
    operation: "host.bridge-up",
    rights: "write",
    summary: "Bring the bridge up",
    description: "Makes the bridge if it is missing. A bridge that is up is not an error.",
    answer: { status: 200, schema: BridgeData, example: examples.BRIDGE },
    problems: ["daemon.read-only", "bridge.conflict", "bridge.refused"],
  },
  "POST /api/v1/bridge/down": {
    operation: "host.bridge-down",
    rights: "write",
    summary: "Take the bridge down",
    description:
      "The bridge is kept. Every decision is refused until it is up again. A bridge that is down is not an error.",
    answer: { status: 200, schema: BridgeData, example: { ...examples.BRIDGE, state: "down" } },
    problems: ["daemon.read-only", "bridge.conflict", "bridge.refused"],
  },
  "GET /api/v1/containers": {
    operation: "host.container-list",
    rights: "read",
    summary: "List containers",
    description: "The containers that have checked in, the earliest first.",
    answer: { status: 200, schema: ContainerList, example: [examples.CONTAINER] },
    problems: [],
  },
  "GET /api/v1/envelopes": {
    operation: "host.envelope-list",
    rights: "read",
    summary: "List envelopes",
    description: "The newest envelope of each container that has checked in.",
    answer: { status: 200, schema: EnvelopeList, example: [examples.ENVELOPE] },
    problems: [],
  },
  "GET /api/v1/envelope/:container": {
    operation: "host.envelope",
    rights: "read",
    summary: "Show an envelope",
    description: "The stored envelope, and whether it is still verified.",
    path: { description: "The container's full id, short id or name.", example: "builder" },
    answer: { status: 200, schema: EnvelopeView, example: examples.ENVELOPE_VIEW },
    problems: ["rulespec.not-found", "rulespec.store"],
  },
} as const satisfies Routes<HostRoute>;

/** The errors that its routes have in common. */
export const HOST_PROBLEMS: CommonProblems = {
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
