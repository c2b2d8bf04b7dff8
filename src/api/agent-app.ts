// The agent socket's routes. Nothing of policy, host or other containers may be in any answer (S004-FR-010); the order of
// checks is identity, body, token, meaning, evaluation (S004 section 3).
import { contextOf } from "../action/request-context.ts";
import type { Container } from "../container/container.ts";
import { recordId } from "../audit/record-id.ts";
import { escapeText } from "../core/quote.ts";
import type { Context } from "../core/context.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Peer } from "../peer/peer.ts";
import type { Evaluation } from "../rule/evaluate-rules.ts";
import type { RateKind, Rates } from "../session/rates.ts";
import type { Session, Sessions } from "../session/sessions.ts";
import type { RuleRequests } from "../request/requests.ts";
import { CheckinBody, CONTEXT_KEYS, PermissionBody } from "../wire/agent-api.ts";
import { success } from "../wire/answer.ts";
import {
  answerProblem,
  type App,
  bodyReader,
  createApp,
  readJson,
  readOptionalJson,
  type ReportBug,
} from "../server/app.ts";
import { FULL } from "../server/connection-limits.ts";
import { decide, type DecideDeps } from "../decision/decide.ts";
import { mountAgentEnvelopes } from "./envelope-routes-agent.ts";
import type { Envelopes } from "../envelope/envelopes.ts";
import { exchangeOf } from "../server/exchange.ts";
import { opaqueRuleId, type RuleIdKey } from "./opaque-rule-id.ts";
import { RefusalLog } from "../log/refusal-log.ts";
import { elapsedMs } from "../log/round-ms.ts";
import { type Enter, mountAgentRequests, type WithToken } from "./request-routes-agent.ts";
import { listRoutes } from "../server/routes.ts";
import { summarizeRequest, summarizeTarget } from "../log/summarize-context.ts";

/** Every route of the agent socket. */
export const AGENT_ROUTES = [
  "POST /v1/checkin",
  "POST /v1/permissions/check",
  "POST /v1/requests/rules",
  "POST /api/v1/agent/rule-request",
  "GET /v1/requests/rules/:id",
  "POST /v1/envelopes",
] as const;

/** What the agent socket works with. */
export type AgentOptions = {
  readonly deps: DecideDeps;
  readonly sessions: Sessions;
  readonly rates: Rates;
  readonly requests: RuleRequests;
  readonly envelopes: Envelopes;
  readonly identify: (peer: Peer) => Promise<Result<Container, Problem>>;
  readonly ruleIdKey: RuleIdKey;
  readonly timeoutMs: number;
  readonly reportBug: ReportBug;
};

/** The operations by the beginnings of their requests, as the log names them. */
const OPERATIONS: readonly (readonly [start: string, operation: string])[] = [
  ["POST /v1/checkin", "agent.checkin"],
  ["POST /v1/permissions/check", "agent.check"],
  ["POST /v1/requests/rules", "agent.rule-request"],
  ["POST /api/v1/agent/rule-request", "agent.rule-request"],
  ["GET /v1/requests/rules/", "agent.rule-status"],
  ["POST /v1/envelopes", "agent.envelope"],
];

/** Makes the app of the agent socket. */
export function createAgentApp(options: AgentOptions): App {
  const { deps, sessions, rates, envelopes } = options;
  const { log, clock } = deps;
  const refusals = new RefusalLog(log, deps.audit);
  const containers = new WeakMap<Request, Container>();
  const noteRefusal = (request: Request, found: Problem) => {
    deps.counts.refused++;
    const start = `${request.method} ${new URL(request.url).pathname}`;
    const operation = OPERATIONS.find(([known]) => known.endsWith("/") ? start.startsWith(known) : start === known)
      ?.[1];
    const asked = operation === undefined ? summarizeRequest(request) : {};
    refusals.note(operation ?? "agent.request", found, containers.get(request), asked);
  };
  const refuse = (request: Request, found: Problem) => {
    noteRefusal(request, found);
    return answerProblem(found);
  };
  const admit = async (request: Request) => {
    const { peer, countFor } = exchangeOf(request).connection;
    const identified = peer.ok ? await options.identify(peer.value) : err(peer.error);
    if (!identified.ok) return identified.error;
    containers.set(request, identified.value);
    if (!countFor(identified.value)) {
      exchangeOf(request).isLast = true;
      return FULL;
    }
    const waitMs = rates.countAny(identified.value.id, clock.monotonicMs());
    if (waitMs === 0) return null;
    exchangeOf(request).isLast = true;
    return tooOften(request, waitMs);
  };
  // Whose request it is, by its token too; without one nothing of a request is looked at.
  const enter: Enter = async (request, body) => {
    const container = containers.get(request);
    if (container === undefined) return err(UNIDENTIFIED);
    const session = authorize(sessions, container, request, body);
    if (session.ok) return ok(container);
    await noteMisuse(request, body, container);
    return session;
  };

  const base = createApp({ routes: AGENT_ROUTES, admit, noteRefusal, reportBug: options.reportBug });
  const app = base
    .post("/v1/checkin", async ({ request }) => {
      const startMs = clock.monotonicMs();
      const container = containers.get(request);
      if (container === undefined) return refuse(request, UNIDENTIFIED);
      const session = sessions.checkIn(container);
      if (!session.ok) return refuse(request, session.error);
      const { id, name } = container;
      const trouble = await envelopes.restore(container);
      if (trouble !== null) log.warning("envelope.error", { container: id, name, reason: trouble.message });
      log.info("agent.checkin", { container: id, name, status: 200, duration_ms: elapsedMs(clock, startMs) });
      return success({
        container_id: container.shortId,
        session_token: session.value.token,
        context_keys: [...CONTEXT_KEYS],
      });
    }, { body: CheckinBody, parse: bodyReader(readOptionalJson) })
    .post("/v1/permissions/check", async ({ request, body }) => {
      const startMs = clock.monotonicMs();
      const entered = await enter(request, body);
      if (!entered.ok) return refuse(request, entered.error);
      const container = entered.value;
      const waitMs = rates.take(container.id, "permissions", clock.monotonicMs());
      if (waitMs > 0) return refuse(request, tooOften(request, waitMs));
      const context = contextOf(body);
      if (!context.ok) return refuse(request, context.error);
      const asked = { ...withAgent(context.value, container), envelope: envelopes.contextOf(container) };
      const requester = { source: "agent", container: container.id } as const;
      const question = { context: asked, rawTarget: body.target, requester, timeoutMs: options.timeoutMs };
      const { outcome: evaluation, record } = await decide(question, deps);
      if (!evaluation.ok && !DENIALS.has(evaluation.error.code)) return refuse(request, evaluation.error);
      const verdict: Verdict = evaluation.ok
        ? verdictOf(evaluation.value, body, options.ruleIdKey)
        : { allowed: false, matched_rule: null, reason: evaluation.error.message };
      if (record !== null) exchangeOf(request).recordId = recordId(options.ruleIdKey.bytes, record);
      log.info("agent.check", {
        container: container.id,
        name: container.name,
        action_type: body.action_type,
        target: summarizeTarget(body.action_type, context.value.target ?? ""),
        allowed: verdict.allowed,
        rule: evaluation.ok ? evaluation.value.rule?.id : undefined,
        status: 200,
        duration_ms: elapsedMs(clock, startMs),
      });
      return success(verdict);
    }, { body: PermissionBody, parse: bodyReader(readJson) });
  const count = (kind: RateKind) => (request: Request, { id }: Container) => {
    const waitMs = rates.take(id, kind, clock.monotonicMs());
    return waitMs === 0 ? null : tooOften(request, waitMs);
  };
  const routes = { enter, refuse, log, clock };
  mountAgentRequests(base, { ...routes, requests: options.requests, countRequest: count("ruleRequests") });
  mountAgentEnvelopes(base, { ...routes, envelopes, countEnvelope: count("envelopes") });
  return { handle: async (request) => await app.handle(request), routes: listRoutes(app.routes) };

  async function noteMisuse(request: Request, body: WithToken, container: Container): Promise<void> {
    const given = [bearer(request), body.session_token].filter((token) => typeof token === "string");
    if (given.some((token) => sessions.isOthers(container, token))) {
      await refusals.noteMisuse("agent.token-misuse", container);
    }
  }
}

/** Why there may be no evaluation and the answer is a denial all the same, in the problem's own words. */
const DENIALS: ReadonlySet<string> = new Set(["daemon.evaluation-timeout", "audit.unavailable"]);

const UNIDENTIFIED = problem("peer.unidentified", "peer is not identified");

/** The refusal of what is asked too often; the answer says when it may be asked again. */
function tooOften(request: Request, waitMs: number): Problem {
  exchangeOf(request).retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return problem("session.rate-limited", "rate limit exceeded");
}

/** The token of the Authorization header, or null. */
function bearer(request: Request): string | null {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

// The token may come in header or body; both given and different is as wrong as none.
function authorize(
  sessions: Sessions,
  container: Container,
  request: Request,
  body: WithToken,
): Result<Session, Problem> {
  const header = request.headers.has("authorization") ? (bearer(request) ?? "") : null;
  const inBody = body.session_token ?? null;
  const differ = header !== null && inBody !== null && header !== inBody;
  return sessions.find(container, differ ? null : (header ?? inBody));
}

function withAgent(context: Context, container: Container): Context {
  const { id, name, image, labels } = container;
  return { ...context, agent: { id, name, image, labels } };
}

/** What the agent gets to know: of a rule its opaque id and, on a denial, the reason its operator wrote for agents. */
function verdictOf({ decision, rule }: Evaluation, asked: PermissionBody, key: RuleIdKey): Verdict {
  const matched_rule = rule === null ? null : opaqueRuleId(key, rule.id);
  if (decision.decision === "allow") return { allowed: true, matched_rule, reason: null };
  if (rule !== null) return { allowed: false, matched_rule, reason: rule.reason ?? "blocked by policy" };
  // The agent's own words: it is told what it asked for.
  return { allowed: false, matched_rule, reason: `no rule allows ${asked.action_type} to ${escapeText(asked.target)}` };
}
