// The two sockets as the reference describes them: their tables of routes, and what is said of each as a whole.
import { AGENT_PROBLEMS, AGENT_ROUTES } from "../../src/api/agent-routes.ts";
import { HOST_PROBLEMS, HOST_ROUTES } from "../../src/api/host-routes.ts";
import { DEFAULT_AGENT_SOCKET, DEFAULT_HOST_SOCKET } from "../../src/core/defaults.ts";
import { CONTAINER_CONNECTIONS_LIMIT } from "../../src/server/connection-limits.ts";
import { DEADLINES } from "../../src/server/deadline.ts";
import { ANY_FACTOR } from "../../src/session/rates.ts";
import { BODY_LIMIT_BYTES, CheckinBody, CheckinData, PermissionBody, VerdictData } from "../../src/wire/agent-api.ts";
import { ContextSchema } from "../../src/wire/context-schema.ts";
import {
  EnvelopeBody,
  EnvelopeList,
  EnvelopeState,
  EnvelopeSummary,
  EnvelopeView,
} from "../../src/wire/envelope-api.ts";
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
import { AccessRequestBody, AccessRequestData, RequestState, RuleRequestBody } from "../../src/wire/request-agent.ts";
import { code } from "./markdown.ts";
import { secondsText } from "./quantity-text.ts";
import type { SocketReference } from "./route.ts";

/** The agent socket. */
export const AGENT_SOCKET: SocketReference = {
  title: "Outcall agent API",
  socket: DEFAULT_AGENT_SOCKET,
  description: `For containers, over the Unix socket ${code(DEFAULT_AGENT_SOCKET)} (\`--agent-socket\`), HTTP/1.1. ` +
    "The kernel identifies the peer of each connection; it must be a process of a container that the daemon knows. " +
    "The token comes from a check-in. Send it in the Authorization header, or as `session_token` in the body; two tokens that " +
    "differ are refused.\n\n" +
    "Requests are checked in this order: identity (403, 503), rate of all requests (429), size (413), media type (415), JSON and " +
    "shape (400), token (401), rate (429), meaning (422). " +
    `Bodies have at most ${
      BODY_LIMIT_BYTES / 1024
    } KiB. For one container: ${CONTAINER_CONNECTIONS_LIMIT} connections; ` +
    `any requests, refused ones included, at most ${ANY_FACTOR} times the rate of permission requests, and the one over ` +
    `it ends the connection; headers within ${secondsText(DEADLINES.headersMs)}, bodies within ` +
    `${secondsText(DEADLINES.bodyMs)}, idle for ${secondsText(DEADLINES.idleMs)}.`,
  routes: AGENT_ROUTES,
  problems: AGENT_PROBLEMS,
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
};

/** The host socket. */
export const HOST_SOCKET: SocketReference = {
  title: "Outcall host API",
  socket: DEFAULT_HOST_SOCKET,
  description: `For the operator, over the Unix socket ${code(DEFAULT_HOST_SOCKET)} (\`--socket\`), HTTP/1.1. ` +
    "The peer must be root or the daemon's user, or, for calls that change nothing, a member of the group of `--operators-group`; " +
    "and it must not be in a container. " +
    `Bodies have at most ${BODY_LIMIT_BYTES / 1024} KiB; headers within ${secondsText(DEADLINES.headersMs)}, bodies ` +
    `within ${secondsText(DEADLINES.bodyMs)}, idle for ${secondsText(DEADLINES.idleMs)}.`,
  routes: HOST_ROUTES,
  problems: HOST_PROBLEMS,
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
};
