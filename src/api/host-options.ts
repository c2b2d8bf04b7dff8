// The options of the host socket, and the types of its handlers.
import type { Rights } from "../container/host-peer.ts";
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { DecideDeps } from "../decision/decide.ts";
import type { Envelopes } from "../envelope/envelopes.ts";
import type { Peer } from "../peer/peer.ts";
import type { Reloader } from "../reload/reloader.ts";
import type { RuleRequests } from "../request/requests.ts";
import type { Handlers } from "../server/handler.ts";
import type { ReportBug } from "../server/mount.ts";
import type { Sessions } from "../session/sessions.ts";
import type { HOST_ROUTES } from "./host-routes.ts";
import type { RuleIdKey } from "./opaque-rule-id.ts";
import type { ReportStatus } from "./status-report.ts";

/** The options of the host socket. */
export type HostOptions = {
  readonly deps: DecideDeps;
  readonly reloader: Pick<Reloader, "reload">;
  readonly requests: RuleRequests;
  readonly sessions: Pick<Sessions, "all">;
  readonly envelopes: Envelopes;
  /** Returns the rights of a peer on the socket, or the problem that it may not use the socket at all. */
  readonly admit: (peer: Peer) => Result<Rights, Problem>;
  readonly reportStatus: ReportStatus;
  readonly ruleIdKey: RuleIdKey;
  readonly reportBug: ReportBug;
};

/** A peer of the host socket: its user, as the kernel names it, and its rights. */
export type Operator = { readonly uid: number; readonly rights: Rights };

/** The handlers of the host socket. */
export type HostHandlers = Handlers<typeof HOST_ROUTES, Operator>;
