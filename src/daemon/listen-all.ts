// Stage: the sockets, one row each.
import type { DecisionLog } from "../audit/decision-log.ts";
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Log } from "../log/logger.ts";
import { RefusalLog } from "../log/refusal-log.ts";
import { ConnectionLimits } from "../server/connection-limits.ts";
import type { Handle } from "../server/exchange.ts";
import type { Listener } from "../server/listener.ts";
import { serve } from "../server/serve.ts";
import type { Config } from "./config.ts";
import type { ReportBug } from "../server/mount.ts";

/** The time for requests in flight once the daemon is told to stop, in milliseconds. */
export const STOP_GRACE_MS = 5_000;

/** The options of the stage. */
export type ListenOptions = {
  readonly config: Config;
  readonly apps: { readonly host: Handle; readonly agent: Handle };
  readonly identify: NonNullable<Listener["identify"]>;
  /** The gid of the operators' group; null: there is none. */
  readonly operators: number | null;
  readonly log: Log;
  readonly audit: DecisionLog;
  readonly reportBug: ReportBug;
};

/** Listens at every socket of the daemon. */
export function listenAll(stack: AsyncDisposableStack, options: ListenOptions): Promise<Result<null, Problem>> {
  const { log, audit, reportBug } = options;
  const limits = new ConnectionLimits(new RefusalLog(log, audit));
  return serve(stack, listenersOf(options), { limits, log, reportBug, graceMs: STOP_GRACE_MS });
}

function listenersOf({ config, apps, identify, operators }: ListenOptions): readonly Listener[] {
  const forGroup = operators !== null;
  return [
    {
      name: "host",
      path: config.hostSocket,
      mode: forGroup ? 0o660 : 0o600,
      directoryMode: forGroup ? 0o750 : 0o700,
      gid: operators,
      handle: apps.host,
      isReserved: true,
      identify: null,
    },
    {
      name: "agent",
      path: config.agentSocket,
      mode: 0o666,
      directoryMode: 0o755,
      gid: null,
      handle: apps.agent,
      isReserved: false,
      identify,
    },
  ];
}
