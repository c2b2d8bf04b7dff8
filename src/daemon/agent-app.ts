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
import { answerProblem, createApp, parseBody, parseOptionalBody, type ReportBug } from "./app.ts";
import { decide, type Deciding } from "./decide.ts";
import { exchangeOf, type Handle } from "./exchange.ts";
import { opaqueRuleId, type RuleIdKey } from "./opaque-rule-id.ts";
import { roundMs } from "./record-decision.ts";
import { refusalFields } from "./refusal-fields.ts";
import { cutQuery } from "./summarize.ts";

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

/** Makes the app of the agent socket. */
export function createAgentApp(options: AgentOptions): Handle {
  const { deciding, sessions } = options;
  const { log, counts, clock } = deciding;
  const containers = new WeakMap<Request, Container>();
  const containerOf = (request: Request) => containers.get(request);
  const refuse = (event: string, found: Problem, container: Container | undefined) => {
    counts.refused++;
    log.warning(`${event}.refused`, { container: container?.id ?? null, ...refusalFields(found) });
    return answerProblem(found);
  };

  const app = createApp(options.reportBug, (path) => AGENT_ROUTES.some((route) => route.endsWith(` ${path}`)))
    .onRequest(async ({ request }) => {
      const { peer } = exchangeOf(request).connection;
      const identified = peer.ok ? await options.identify(peer.value) : err(peer.error);
      if (!identified.ok) return refuse("agent.identify", identified.error, undefined);
      containers.set(request, identified.value);
      return undefined;
    })
    .post("/v1/checkin", ({ request }) => {
      const container = containerOf(request);
      if (container === undefined) return answerProblem(unidentified());
      const session = sessions.checkIn(container);
      if (!session.ok) return refuse("agent.checkin", session.error, container);
      log.info("agent.checkin", { container: container.id, name: container.name, status: 200 });
      return success({
        container_id: container.shortId,
        session_token: session.value.token,
        context_keys: [...CONTEXT_KEYS],
      });
    }, { body: CheckinBody, parse: parseOptionalBody })
    .post("/v1/permissions/check", async ({ request, body }) => {
      const startMs = clock.monotonicMs();
      const container = containerOf(request);
      if (container === undefined) return answerProblem(unidentified());
      const session = authorize(sessions, container, request, body);
      if (!session.ok) {
        const token = body.session_token ?? bearer(request);
        if (token !== null && sessions.isOthers(container, token)) {
          log.warning("agent.token-misuse", { container: container.id, status: 401 });
        }
        return refuse("agent.check", session.error, container);
      }
      const context = contextOf(body);
      if (!context.ok) return refuse("agent.check", context.error, container);
      const asked = withAgent(context.value, container);
      const asker = { source: "agent", container: container.id } as const;
      const evaluation = await decide(asked, asker, options.timeoutMs, deciding);
      if (!evaluation.ok && evaluation.error.code !== "daemon.evaluation-timeout") {
        return refuse("agent.check", evaluation.error, container);
      }
      const verdict = evaluation.ok ? verdictOf(evaluation.value, asked, options.ruleIdKey) : TIMEOUT;
      log.info("agent.check", {
        container: container.id,
        action_type: body.action_type,
        target: escapeText(cutQuery(body.target)),
        allowed: verdict.allowed,
        status: 200,
        duration_ms: roundMs(clock.monotonicMs() - startMs),
      });
      return success(verdict);
    }, { body: PermissionBody, parse: parseBody });
  return async (request) => await app.handle(request);
}

const TIMEOUT: Verdict = { allowed: false, matched_rule: null, reason: "evaluation timeout" };

function unidentified(): Problem {
  return problem("peer.unidentified", "peer is not identified");
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
