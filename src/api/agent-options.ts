// The options of the agent socket, and the types of its handlers.
import type { Container } from "../container/container.ts";
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { DecideDeps } from "../decision/decide.ts";
import type { Envelopes } from "../envelope/envelopes.ts";
import type { Peer } from "../peer/peer.ts";
import type { RuleRequests } from "../request/requests.ts";
import type { Handlers } from "../server/handler.ts";
import type { ReportBug } from "../server/mount.ts";
import type { Rates } from "../session/rates.ts";
import type { Sessions } from "../session/sessions.ts";
import type { AGENT_ROUTES } from "./agent-routes.ts";
import type { RuleIdKey } from "./opaque-rule-id.ts";

/** The options of the agent socket. */
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

/** The handlers of the agent socket. */
export type AgentHandlers = Handlers<typeof AGENT_ROUTES, Container>;
