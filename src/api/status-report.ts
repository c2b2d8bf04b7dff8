// The daemon's own state, for `GET /api/v1/status` and `GET /api/v1/health`.
import { UNAVAILABLE } from "../audit/decision-log.ts";
import { logPaths } from "../audit/paths.ts";
import type { ContainerSource } from "../container/source.ts";
import { VERSION } from "../core/version.ts";
import type { RuleRequests } from "../request/requests.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import type { Sessions } from "../session/sessions.ts";
import type { HealthData, StatusData } from "../wire/host-api.ts";
import { describeBridge } from "./switch-bridge.ts";
import type { DecideDeps } from "../decision/decide.ts";
import type { RulespecSource } from "../envelope/rulespec-source.ts";
import type { LastReload, Reloader } from "../reload/reloader.ts";

/** Gives the current state. */
export type ReportStatus = () => StatusData;

// The part of the configuration that the report shows.
type StatusConfig = {
  readonly rulesDir: string;
  readonly hostSocket: string;
  readonly agentSocket: string;
  readonly stateDir: string;
  readonly operatorsGroup: string | null;
  readonly rulespec: RulespecSource;
};

/** The parts of the daemon that the report reads. */
export type StatusSources = {
  readonly config: StatusConfig;
  readonly deps: DecideDeps;
  readonly reloader: Pick<Reloader, "last">;
  readonly requests: Pick<RuleRequests, "countPending">;
  readonly sessions: Sessions;
  readonly containers: ContainerSource;
  readonly startedAt: Date;
};

/** Makes the report of one daemon. */
export function createStatusReport(sources: StatusSources): ReportStatus {
  const { config, deps, reloader, requests, sessions, containers, startedAt } = sources;
  return () => {
    const { set, loadedAt } = deps.rules.current;
    const bridge = describeBridge(deps.bridge);
    const { isAvailable } = deps.audit;
    const { behindSeconds } = deps.ruleTime;
    const isUp = bridge.state === "up" || bridge.state === "none";
    return {
      version: VERSION,
      pid: process.pid,
      started_at: startedAt.toISOString(),
      uptime_seconds: Math.floor((deps.clock.now().getTime() - startedAt.getTime()) / 1_000),
      ready: isUp && isAvailable,
      reason: !isUp ? `bridge is ${bridge.state}` : isAvailable ? null : UNAVAILABLE.message,
      rules: {
        dir: config.rulesDir,
        digest: set.digest,
        files: set.files,
        rules: set.rules.length,
        warnings: warningTexts(set),
        loaded_at: loadedAt.toISOString(),
      },
      last_reload: describeReload(reloader.last),
      bridge,
      containers: {
        source: containers.kind,
        state: containers.status().ready ? "ready" : "unavailable",
        sessions: sessions.size,
      },
      sockets: { host: config.hostSocket, agent: config.agentSocket },
      operators_group: config.operatorsGroup,
      counts: { ...deps.counts },
      requests: { pending: requests.countPending() },
      rulespec: describeRulespec(config.rulespec),
      ...(behindSeconds === null ? {} : { clock_behind_seconds: behindSeconds }),
      decision_log: { file: logPaths(config.stateDir).database, state: isAvailable ? "ok" : "unavailable" },
    };
  };
}

function describeReload(last: LastReload | null): StatusData["last_reload"] {
  return last === null ? null : { at: last.at.toISOString(), ok: last.error === null, error: last.error };
}

function describeRulespec(source: RulespecSource): StatusData["rulespec"] {
  return { file: source?.kind === "file" ? source.path : null, dir: source?.kind === "dir" ? source.path : null };
}

/** The warnings of a set, one text each. */
export function warningTexts({ warnings }: RuleSet): string[] {
  return warnings.map(({ place, message }) => `${place.file}:${place.line}: ${message}`);
}

/** Whether the daemon can decide, and if not, why. */
export function healthOf(status: StatusData): HealthData {
  return { ready: status.ready, reason: status.reason };
}
