// The daemon's own state, for `GET /api/v1/status` and `GET /api/v1/health`.
import { UNAVAILABLE } from "../audit/decision-log.ts";
import { logPaths } from "../audit/paths.ts";
import type { ContainerSource } from "../container/source.ts";
import { VERSION } from "../core/version.ts";
import type { Sessions } from "../session/sessions.ts";
import type { HealthData, StatusData } from "../wire/host-api.ts";
import type { Config } from "./config.ts";
import type { Deciding } from "./decide.ts";

/** Gives the state at the time of the call. */
export type ReportStatus = () => StatusData;

/** What the state is read from. */
export type StatusSources = {
  readonly config: Config;
  readonly deciding: Deciding;
  readonly sessions: Sessions;
  readonly containers: ContainerSource;
  readonly startedAt: Date;
};

/** Makes the report of one daemon. */
export function createStatusReport({ config, deciding, sessions, containers, startedAt }: StatusSources): ReportStatus {
  return () => {
    const { set, loadedAt } = deciding.rules.current;
    const bridge = deciding.bridge.state();
    const { isAvailable } = deciding.audit;
    const isUp = bridge === "up" || bridge === "none";
    return {
      version: VERSION,
      pid: process.pid,
      started_at: startedAt.toISOString(),
      uptime_seconds: Math.floor((deciding.clock.now().getTime() - startedAt.getTime()) / 1_000),
      ready: isUp && isAvailable,
      reason: !isUp ? `bridge is ${bridge}` : isAvailable ? null : UNAVAILABLE.message,
      rules: {
        dir: config.rulesDir,
        digest: set.digest,
        files: set.files,
        rules: set.rules.length,
        warnings: set.warnings.map((warning) => `${warning.place.file}:${warning.place.line}: ${warning.message}`),
        loaded_at: loadedAt.toISOString(),
      },
      last_reload: null,
      bridge: { name: deciding.bridge.name ?? "none", state: bridge },
      containers: {
        source: containers.kind,
        state: containers.status().ready ? "ready" : "unavailable",
        sessions: sessions.size,
      },
      sockets: { host: config.hostSocket, agent: config.agentSocket },
      counts: { ...deciding.counts },
      decision_log: { file: logPaths(config.stateDir).database, state: isAvailable ? "ok" : "unavailable" },
    };
  };
}

/** Whether the daemon can decide, and why not. */
export function healthOf(status: StatusData): HealthData {
  return { ready: status.ready, reason: status.reason };
}
