// The two sockets for the reference: their route tables, descriptions and schemas.
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
  description: `HTTP/1.1 for containers, over the Unix socket ${code(DEFAULT_AGENT_SOCKET)} (\`--agent-socket\`). ` +
    "The kernel identifies the peer of each connection, which must be a process of a container that the daemon knows. " +
    "A check-in returns the session token. Send the token in the Authorization header, or as `session_token` in the body. A " +
    "request with two different tokens is refused.\n\n" +
    "The daemon checks each request in this order: identity (403, 503), rate of all requests (429), size (413), media type " +
    "(415), JSON and shape (400), token (401), rate (429), meaning (422). " +
    `A body may have at most ${
      BODY_LIMIT_BYTES / 1024
    } KiB. A container may have ${CONTAINER_CONNECTIONS_LIMIT} connections. It may send requests of any kind, refused ` +
    `ones included, at ${ANY_FACTOR} times the rate of permission requests; a request above that rate ends the connection. ` +
    `Headers must arrive within ${secondsText(DEADLINES.headersMs)} and bodies within ` +
    `${secondsText(DEADLINES.bodyMs)}. A connection may be idle for ${secondsText(DEADLINES.idleMs)}.`,
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
  description: `HTTP/1.1 for the operator, over the Unix socket ${code(DEFAULT_HOST_SOCKET)} (\`--socket\`). ` +
    "The peer must be root or the daemon's user. For calls that change nothing, it may also be a member of the group of " +
    "`--operators-group`. It must not be in a container. " +
    `A body may have at most ${BODY_LIMIT_BYTES / 1024} KiB. Headers must arrive within ` +
    `${secondsText(DEADLINES.headersMs)} and bodies within ${
      secondsText(DEADLINES.bodyMs)
    }. A connection may be idle ` +
    `for ${secondsText(DEADLINES.idleMs)}.`,
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
