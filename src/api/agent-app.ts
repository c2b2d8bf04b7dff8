// The app of the agent socket. Requests are checked in this order: identity, size, shape, token, rate, meaning,
// evaluation.
import type { Container } from "../container/container.ts";
import { type Problem, problem } from "../core/problem.ts";
import { RefusalLog } from "../log/refusal-log.ts";
import { elapsedMs } from "../log/round-ms.ts";
import { summarizeRequest } from "../log/summarize-context.ts";
import { FULL } from "../server/connection-limits.ts";
import { type Exchange, exchangeOf } from "../server/exchange.ts";
import { type App, type Asked, createApp, type Identified } from "../server/mount.ts";
import { codesOf } from "../wire/route.ts";
import { checkHandler } from "./agent-check.ts";
import { checkinHandler } from "./agent-checkin.ts";
import { envelopeHandler } from "./agent-envelope.ts";
import { AGENT_PROBLEMS, AGENT_ROUTES, type AgentRoute } from "./agent-routes.ts";
import type { AgentHandlers, AgentOptions } from "./agent-options.ts";
import { ruleRequestHandlers } from "./agent-rule-requests.ts";
import { givenTokens, tokenOf } from "./token.ts";

/** Makes the app of the agent socket. */
export function createAgentApp(options: AgentOptions): App {
  const { deps, sessions, rates, reportBug } = options;
  const { log, clock } = deps;
  const refusals = new RefusalLog(log, deps.audit);
  const handlers: AgentHandlers = {
    "POST /v1/checkin": checkinHandler(options),
    "POST /v1/permissions/check": checkHandler(options),
    ...ruleRequestHandlers(options),
    "POST /v1/envelopes": envelopeHandler(options),
  };
  return createApp<AgentRoute, typeof AGENT_ROUTES, Container>(AGENT_ROUTES, handlers, {
    codes: codesOf(AGENT_ROUTES, AGENT_PROBLEMS),
    identify,
    permit,
    noteRefusal: ({ request, found, operation, caller }) => {
      deps.counts.refused++;
      const asked = operation === undefined ? summarizeRequest(request) : {};
      refusals.note(operation ?? "agent.request", found, caller ?? undefined, asked);
    },
    noteAnswer: ({ operation, caller: { id, name }, status, startMs, fields }) => {
      log.info(operation, { container: id, name, ...fields, status, duration_ms: elapsedMs(clock, startMs) });
    },
    reportBug,
    clock,
  });

  async function identify(request: Request): Promise<Identified<Container>> {
    const exchange = exchangeOf(request);
    const { peer, countFor } = exchange.connection;
    const identified = peer.ok ? await options.identify(peer.value) : peer;
    if (!identified.ok) return { caller: null, refused: identified.error };
    const caller = identified.value;
    const waitMs = countFor(caller) ? rates.countAny(caller.id, clock.monotonicMs()) : null;
    if (waitMs === 0) return { caller, refused: null };
    exchange.isLast = true;
    return { caller, refused: waitMs === null ? FULL : tooOften(exchange, waitMs) };
  }

  // Checks the token, then the rate of the route. Only the token of the container's own session counts.
  async function permit({ request, route, caller, body }: Asked<AgentRoute, Container>): Promise<Problem | null> {
    if (route.token === true) {
      const given = givenTokens(request, body);
      const session = sessions.find(caller, tokenOf(given));
      if (!session.ok) {
        const isMisuse = given.some((token) => token !== null && sessions.isOthers(caller, token));
        if (isMisuse) await refusals.noteMisuse("agent.token-misuse", caller);
        return session.error;
      }
    }
    const waitMs = route.rate === undefined ? 0 : rates.take(caller.id, route.rate, clock.monotonicMs());
    return waitMs === 0 ? null : tooOften(exchangeOf(request), waitMs);
  }
}

/** The refusal of a request over its rate; the answer says when the container may ask again. */
function tooOften(exchange: Exchange, waitMs: number): Problem {
  exchange.retryAfterSeconds = Math.ceil(waitMs / 1_000);
  return problem("session.rate-limited", "rate limit exceeded");
}
