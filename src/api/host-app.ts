// The app of the host socket, for the operator only.
import { type Problem, problem } from "../core/problem.ts";
import { ok } from "../core/result.ts";
import { RefusalLog } from "../log/refusal-log.ts";
import { summarizeRequest } from "../log/summarize-context.ts";
import { exchangeOf } from "../server/exchange.ts";
import { type App, type Asked, createApp, type Identified } from "../server/mount.ts";
import { bridgeHandlers } from "./host-bridge.ts";
import { containerHandlers } from "./host-containers.ts";
import { HOST_ROUTES, type HostRoute } from "./host-routes.ts";
import type { HostHandlers, HostOptions, Operator } from "./host-options.ts";
import { ruleHandlers } from "./host-rules.ts";
import { requestHandlers } from "./host-rule-requests.ts";
import { healthOf } from "./status-report.ts";

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
    codes: null,
    identify: (request) => Promise.resolve(identify(request, options.admit)),
    permit: (asked) => Promise.resolve(permit(asked)),
    // A refusal by a handler is an answer to the operator and is not recorded.
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
