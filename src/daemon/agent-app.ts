// The agent socket's routes. Nothing of policy, host or other containers may be in any answer (S004-FR-010); the order of
// checks is identity, body, token, meaning, evaluation (S004 section 3).
import { contextOf } from "../action/context.ts";
import type { Container } from "../container/container.ts";
import { escapeText } from "../core/quote.ts";
import type { Context } from "../core/context.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, type Result } from "../core/result.ts";
import type { Verdict } from "../core/verdict.ts";
import type { Peer } from "../peer/peer.ts";
import type { Evaluation } from "../rule/evaluate.ts";
import type { Session, Sessions } from "../session/sessions.ts";
import { CheckinBody, CONTEXT_KEYS, PermissionBody } from "../wire/agent-api.ts";
import { success } from "../wire/answer.ts";
import { answerProblem, type App, bodyReader, createApp, readJson, readOptionalJson, type ReportBug } from "./app.ts";
import { decide, type Deciding } from "./decide.ts";
import { exchangeOf } from "./exchange.ts";
import { opaqueRuleId, type RuleIdKey } from "./opaque-rule-id.ts";
import { RefusalLog } from "./refusal-log.ts";
import { elapsedMs } from "./round-ms.ts";
import { listRoutes } from "./routes.ts";
import { summarizeRequest, summarizeTarget } from "./summarize.ts";

/** Every route of the agent socket. */
export const AGENT_ROUTES = ["POST /v1/checkin", "POST /v1/permissions/check"] as const;

/** What the agent socket works with. */
export type AgentOptions = {
  readonly deciding: Deciding;
  readonly sessions: Sessions;
  readonly identify: (peer: Peer) => Promise<Result<Container, Problem>>;
  readonly ruleIdKey: RuleIdKey;
  readonly timeoutMs: number;
  readonly reportBug: ReportBug;
};

/** The age of an envelope that does not exist: as old as can be said (rulespec.md 6). */
const NO_ENVELOPE = { verified: false, outcome: "none", age_seconds: Number.MAX_SAFE_INTEGER, facts: {} } as const;

/** The operations by their paths, as the log names them. */
const OPERATIONS: Readonly<Record<string, string>> = {
  "/v1/checkin": "agent.checkin",
  "/v1/permissions/check": "agent.check",
};

/** Makes the app of the agent socket. */
export function createAgentApp(options: AgentOptions): App {
  const { deciding, sessions } = options;
  const { log, clock } = deciding;
  const refusals = new RefusalLog(log, deciding.audit);
  const containers = new WeakMap<Request, Container>();
  const noteRefusal = (request: Request, found: Problem) => {
    deciding.counts.refused++;
    const operation = OPERATIONS[new URL(request.url).pathname];
    const asked = operation === undefined ? summarizeRequest(request) : {};
    refusals.note(operation ?? "agent.request", found, containers.get(request), asked);
  };
  const refuse = (request: Request, found: Problem) => {
    noteRefusal(request, found);
    return answerProblem(found);
  };
  const admit = async (request: Request) => {
    const { peer } = exchangeOf(request).connection;
    const identified = peer.ok ? await options.identify(peer.value) : err(peer.error);
    if (!identified.ok) return identified.error;
    containers.set(request, identified.value);
    return null;
  };

  const app = createApp({ routes: AGENT_ROUTES, admit, noteRefusal, reportBug: options.reportBug })
    .post("/v1/checkin", ({ request }) => {
      const startMs = clock.monotonicMs();
      const container = containers.get(request);
      if (container === undefined) return refuse(request, UNIDENTIFIED);
      const session = sessions.checkIn(container);
      if (!session.ok) return refuse(request, session.error);
      const { id, name } = container;
      log.info("agent.checkin", { container: id, name, status: 200, duration_ms: elapsedMs(clock, startMs) });
      return success({
        container_id: container.shortId,
        session_token: session.value.token,
        context_keys: [...CONTEXT_KEYS],
      });
    }, { body: CheckinBody, parse: bodyReader(readOptionalJson) })
    .post("/v1/permissions/check", async ({ request, body }) => {
      const startMs = clock.monotonicMs();
      const container = containers.get(request);
      if (container === undefined) return refuse(request, UNIDENTIFIED);
      const session = authorize(sessions, container, request, body);
      if (!session.ok) {
        await noteMisuse(request, body, container);
        return refuse(request, session.error);
      }
      const context = contextOf(body);
      if (!context.ok) return refuse(request, context.error);
      const asked = withAgent(context.value, container);
      const asker = { source: "agent", container: container.id } as const;
      const evaluation = await decide(asked, asker, options.timeoutMs, deciding);
      if (!evaluation.ok && !DENIALS.has(evaluation.error.code)) return refuse(request, evaluation.error);
      const verdict: Verdict = evaluation.ok
        ? verdictOf(evaluation.value, asked, options.ruleIdKey)
        : { allowed: false, matched_rule: null, reason: evaluation.error.message };
      log.info("agent.check", {
        container: container.id,
        name: container.name,
        action_type: body.action_type,
        target: summarizeTarget(body.action_type, body.target),
        allowed: verdict.allowed,
        rule: evaluation.ok ? evaluation.value.rule?.id : undefined,
        status: 200,
        duration_ms: elapsedMs(clock, startMs),
      });
      return success(verdict);
    }, { body: PermissionBody, parse: bodyReader(readJson) });
  return { handle: async (request) => await app.handle(request), routes: listRoutes(app.routes) };

  async function noteMisuse(request: Request, body: PermissionBody, container: Container): Promise<void> {
    const given = [bearer(request), body.session_token].filter((token) => typeof token === "string");
    if (given.some((token) => sessions.isOthers(container, token))) {
      await refusals.noteMisuse("agent.token-misuse", container);
    }
  }
}

/** Why there may be no evaluation and the answer is a denial all the same, in the problem's own words. */
const DENIALS: ReadonlySet<string> = new Set(["daemon.evaluation-timeout", "audit.unavailable"]);

const UNIDENTIFIED = problem("peer.unidentified", "peer is not identified");

/** The token of the Authorization header, or null. */
function bearer(request: Request): string | null {
  return /^Bearer ([^\s]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}

// The token may come in header or body; both given and different is as wrong as none.
function authorize(
  sessions: Sessions,
  container: Container,
  request: Request,
  body: PermissionBody,
): Result<Session, Problem> {
  const header = request.headers.has("authorization") ? (bearer(request) ?? "") : null;
  const inBody = body.session_token ?? null;
  const differ = header !== null && inBody !== null && header !== inBody;
  return sessions.find(container, differ ? null : (header ?? inBody));
}

function withAgent(context: Context, container: Container): Context {
  const { id, name, image, labels } = container;
  return { ...context, agent: { id, name, image, labels }, envelope: NO_ENVELOPE };
}

/** What the agent gets to know: of a rule its opaque id and, on a denial, the reason its operator wrote for agents. */
function verdictOf({ decision, rule }: Evaluation, context: Context, key: RuleIdKey): Verdict {
  const matched_rule = rule === null ? null : opaqueRuleId(key, rule.id);
  if (decision.decision === "allow") return { allowed: true, matched_rule, reason: null };
  if (rule !== null) return { allowed: false, matched_rule, reason: rule.reason ?? "blocked by policy" };
  const target = escapeText(context.target ?? "");
  return { allowed: false, matched_rule, reason: `no rule allows ${context.action_type ?? ""} to ${target}` };
}
