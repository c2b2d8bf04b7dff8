// Starts the daemon, stage by stage. Each stage registers its undoing on a stack. If a stage fails, the stages before it are
// undone; when the daemon stops, all stages are, the last one first.
import { checkHostPeer } from "../container/host-peer.ts";
import { createAgentApp } from "../api/agent-app.ts";
import { createHostApp } from "../api/host-app.ts";
import { createStatusReport } from "../api/status-report.ts";
import { systemClock } from "../core/clock.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { VERSION } from "../core/version.ts";
import type { Log } from "../log/logger.ts";
import type { Peer } from "../peer/peer.ts";
import { Rates } from "../session/rates.ts";
import type { Config } from "./config.ts";
import { findOperators } from "./find-operators.ts";
import { listenAll } from "./listen-all.ts";
import { openAudit } from "./open-audit.ts";
import { openContainers } from "./open-containers.ts";
import { openDecisions } from "./open-decisions.ts";
import { openEnvelopes } from "./open-envelopes.ts";
import { openRequests } from "./open-requests.ts";
import { type FirstRules, openRules } from "./open-rules.ts";
import { openState } from "./open-state.ts";
import { watchRules } from "./watch-rules.ts";

/** A daemon that serves. */
export type Daemon = {
  /** Reloads the rules, as `SIGHUP` asks. */
  readonly reload: () => void;
  readonly stop: () => Promise<void>;
};

/** Starts all stages. A start that fails leaves nothing behind. */
export async function startDaemon(config: Config, first: FirstRules, log: Log): Promise<Result<Daemon, Problem>> {
  const startedAt = systemClock.now();
  await using stack = new AsyncDisposableStack();
  const reportBug = (cause: unknown) => {
    log.error("bug", { error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) });
  };
  const operators = findOperators(config);
  if (!operators.ok) return operators;
  const state = openState(stack, config);
  if (!state.ok) return state;
  const { ruleIdKey, stampKey } = state.value;
  const audit = await openAudit(stack, { config, set: first.set, log });
  if (!audit.ok) return audit;
  const { rules, reloader, idle } = openRules(stack, { config, first, log, audit: audit.value, startedAt });
  const deps = openDecisions(stack, { config, rules, log, audit: audit.value });
  const onThreadEnd = () => idle.note();
  const requests = await openRequests(stack, { config, deps, reloader, program: first.program, onThreadEnd });
  if (!requests.ok) return requests;
  const containers = await openContainers(stack, config, log);
  if (!containers.ok) return containers;
  const { source, sessions } = containers.value;
  const envelopes = openEnvelopes(stack, { config, key: stampKey, program: first.program, log });
  source.onGone((container) => {
    sessions.drop(container);
    envelopes.drop(container);
  });
  const users = { ownUid: process.getuid?.() ?? 0, operatorsGid: operators.value };
  const identify = (peer: Peer) => source.identify(peer);
  const shared = { deps, requests: requests.value, sessions, envelopes, ruleIdKey, reportBug };
  const host = createHostApp({
    ...shared,
    reloader,
    admit: (peer) => checkHostPeer(peer, users),
    reportStatus: createStatusReport({
      config,
      deps,
      reloader,
      requests: requests.value,
      sessions,
      containers: source,
      startedAt,
    }),
  });
  const agent = createAgentApp({
    ...shared,
    identify,
    rates: new Rates(config.rates),
    timeoutMs: config.agentTimeoutMs,
  });
  const apps = { host: idle.noting(host.handle), agent: idle.noting(agent.handle) };
  const served = await listenAll(stack, {
    config,
    apps,
    identify,
    operators: operators.value,
    log,
    audit: audit.value,
    reportBug,
  });
  if (!served.ok) return served;
  watchRules(stack, { config, reloader, first: first.fingerprint, log, reportBug });
  log.info("ready", {
    version: VERSION,
    rules: first.set.rules.length,
    files: first.set.files,
    digest: first.set.digest,
    containers: source.kind,
    host_socket: config.hostSocket,
    agent_socket: config.agentSocket,
  });
  idle.note();
  const undo = stack.move();
  return ok({
    reload: () => void reloader.reload("signal").catch(reportBug),
    stop: () => undo.disposeAsync(),
  });
}
