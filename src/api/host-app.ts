// The app of the host socket (S003 section 10), for the operator alone.
import type { Rights } from "../container/host-peer.ts";
import { type Problem, problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import type { DecideDeps } from "../decision/decide.ts";
import type { Envelopes } from "../envelope/envelopes.ts";
import { RefusalLog } from "../log/refusal-log.ts";
import { summarizeRequest } from "../log/summarize-context.ts";
import type { Peer } from "../peer/peer.ts";
import type { Reloader } from "../reload/reloader.ts";
import type { RuleRequests } from "../request/requests.ts";
import { exchangeOf } from "../server/exchange.ts";
import type { Handlers } from "../server/handler.ts";
import { type App, type Asked, createApp, type Identified, type ReportBug } from "../server/mount.ts";
import type { Sessions } from "../session/sessions.ts";
import { codesOf } from "../wire/route.ts";
import { bridgeHandlers } from "./host-bridge.ts";
import { containerHandlers } from "./host-containers.ts";
import { HOST_PROBLEMS, HOST_ROUTES, type HostRoute } from "./host-routes.ts";
import { ruleHandlers } from "./host-rules.ts";
import { requestHandlers } from "./host-rule-requests.ts";
import type { RuleIdKey } from "./opaque-rule-id.ts";
import { healthOf, type ReportStatus } from "./status-report.ts";

/** What the host socket works with. */
export type HostOptions = {
  readonly deps: DecideDeps;
  readonly reloader: Pick<Reloader, "reload">;
  readonly requests: RuleRequests;
  readonly sessions: Pick<Sessions, "all">;
  readonly envelopes: Envelopes;
  /** What a peer may do on the socket, or why it may not use it at all. */
  readonly admit: (peer: Peer) => Result<Rights, Problem>;
  readonly reportStatus: ReportStatus;
  readonly ruleIdKey: RuleIdKey;
  readonly reportBug: ReportBug;
};

/** A peer of the host socket: its user, by the kernel's word, and what it may do. */
export type Operator = { readonly uid: number; readonly rights: Rights };

/** The handlers of the host socket. */
export type HostHandlers = Handlers<typeof HOST_ROUTES, Operator>;

/** Makes the app of the host socket. */
export function createHostApp(options: HostOptions): App {
  const { deps, reportStatus, reportBug } = options;
  const refusals = new RefusalLog(deps.log, deps.audit);
  const handlers: HostHandlers = {
    ...ruleHandlers(options),
    "GET /api/v1/health": () => ok(healthOf(reportStatus())),
    "GET /api/v1/status": () => ok(reportStatus()),
    ...requestHandlers(options),
    ...bridgeHandlers(deps),
    ...containerHandlers(options),
  };
  return createApp<HostRoute, typeof HOST_ROUTES, Operator>(HOST_ROUTES, handlers, {
    codes: codesOf(HOST_ROUTES, HOST_PROBLEMS),
    identify: (request) => Promise.resolve(identify(request, options.admit)),
    permit: (asked) => Promise.resolve(permit(asked)),
    // What a handler refuses is an answer to the operator's question, and no event.
    noteRefusal: ({ request, found, operation, byHandler }) => {
      if (byHandler) return;
      deps.counts.refused++;
      refusals.note("host.request", found, undefined, { ...summarizeRequest(request), operation });
    },
    noteAnswer: () => {},
    reportBug,
    clock: deps.clock,
  });
}

function identify(request: Request, admit: HostOptions["admit"]): Identified<Operator> {
  const { peer } = exchangeOf(request).connection;
  if (!peer.ok) return { caller: null, refused: peer.error };
  const rights = admit(peer.value);
  if (!rights.ok) return { caller: null, refused: rights.error };
  return { caller: { uid: peer.value.credentials.uid, rights: rights.value }, refused: null };
}

function permit({ route, caller }: Asked<HostRoute, Operator>): Problem | null {
  return route.rights === "read" || caller.rights === "write" ? null : READ_ONLY;
}

const READ_ONLY = problem(
  "daemon.read-only",
  "members of the operators' group may only read; this call is for root and the daemon's user",
);
