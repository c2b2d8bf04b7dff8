// Putting the daemon together: state, bridge, container source, the two sockets, in this order; what fails undoes what stands.
import type { Socket } from "node:net";
import type { URL } from "node:url";
import { dirname } from "node:path";
import { BridgeProbe } from "../bridge/state.ts";
import { chooseSource } from "../container/choose.ts";
import type { Container } from "../container/container.ts";
import { checkHostPeer } from "../container/host-peer.ts";
import { systemClock } from "../core/clock.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { VERSION } from "../core/version.ts";
import { HookRunner } from "../hook/runner.ts";
import { identifyPeer } from "../peer/accept.ts";
import { release } from "../peer/pin.ts";
import type { Peer } from "../peer/peer.ts";
import type { Fingerprint } from "../rule/fingerprint.ts";
import type { DecisionLog } from "../audit/decision-log.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import { Rates } from "../session/rates.ts";
import { Sessions } from "../session/sessions.ts";
import { createAgentApp } from "./agent-app.ts";
import { prepareBridge } from "./switch-bridge.ts";
import type { Config } from "./config.ts";
import { ConnectionLimits } from "../server/connection-limits.ts";
import { createCounts } from "./counts.ts";
import { RuleTime } from "./rule-time.ts";
import type { DecideDeps } from "./decide.ts";
import { collectGarbage } from "./engine.ts";
import { EvaluationTurns } from "./evaluation-turns.ts";
import type { Handle } from "../server/exchange.ts";
import { createHostApp } from "./host-app.ts";
import { HttpServer } from "../server/http-server.ts";
import { IdleCollector } from "./idle-collector.ts";
import { listen, type Listener } from "../server/listen.ts";
import { LiveRules } from "../reload/live-rules.ts";
import type { Log } from "../log/logger.ts";
import { makeDirectory } from "../server/make-directory.ts";
import { loadRuleIdKey } from "./opaque-rule-id.ts";
import { keepReload, keepRequestEvent } from "./keep-change.ts";
import { type KeepReload, Reloader } from "../reload/reloader.ts";
import { openAudit } from "./open-audit.ts";
import { RefusalLog } from "../log/refusal-log.ts";
import type { Load } from "../reload/stable-load.ts";
import { openRequests } from "./open-requests.ts";
import { openEnvelopes, STAMP_KEY_FILE } from "./open-envelopes.ts";
import { openStateDir } from "./state-dir.ts";
import { loadStateKey } from "./state-key.ts";
import { createStatusReport } from "./status-report.ts";
import { RulesWatch, type WatchOptions } from "../reload/watch.ts";

/** How long requests in flight may take once the daemon is told to stop (S004 section 1). */
export const STOP_GRACE_MS = 5_000;

/** A daemon that serves. */
export type Daemon = {
  /** Reloads the rules, as `SIGHUP` asks. */
  readonly reload: () => void;
  readonly stop: () => Promise<void>;
};

/** The rules to begin with, and how they were loaded. */
export type FirstRules = {
  readonly load: Load;
  readonly set: RuleSet;
  readonly fingerprint: Fingerprint;
  /** The entry of the program, which runs as a worker too. */
  readonly program: URL;
};

/** Starts everything; serves nothing unless all of it stands. */
export async function startDaemon(config: Config, first: FirstRules, log: Log): Promise<Result<Daemon, Problem>> {
  const state = openStateDir(config.stateDir);
  if (!state.ok) return state;
  const opened = await openAudit(config, first.set, log);
  if (!opened.ok) {
    state.value.close();
    return opened;
  }
  const { audit, close } = opened.value;
  const daemon = await startLocked({ config, first, log, audit });
  if (!daemon.ok) {
    await close();
    state.value.close();
    return daemon;
  }
  const stop = async () => {
    await daemon.value.stop();
    await close();
    state.value.close();
  };
  return ok({ reload: daemon.value.reload, stop });
}

type Locked = { readonly config: Config; readonly first: FirstRules; readonly log: Log; readonly audit: DecisionLog };

async function startLocked({ config, first, log, audit }: Locked): Promise<Result<Daemon, Problem>> {
  const key = loadRuleIdKey(config.stateDir);
  if (!key.ok) return key;
  const stampKey = loadStateKey(config.stateDir, STAMP_KEY_FILE);
  if (!stampKey.ok) return stampKey;
  const startedAt = systemClock.now();
  const hooks = new HookRunner(config.rulesDir);
  const { set, load, fingerprint } = first;
  const rules = new LiveRules({ set, loadedAt: startedAt });
  const keep: KeepReload = (reason, detail) => keepReload(audit, systemClock, reason, detail);
  const idle = new IdleCollector({ collect: collectGarbage, residentBytes: () => process.memoryUsage.rss() });
  const reloader = new Reloader({
    dir: config.rulesDir,
    load: () => load().finally(() => idle.note()),
    rules,
    clock: systemClock,
    log,
    keep,
    first: fingerprint,
  });
  const deps: DecideDeps = {
    rules,
    bridge: new BridgeProbe(config.bridge, systemClock),
    runHook: (rule, input, turn) => hooks.run(rule, input, turn),
    turns: new EvaluationTurns(),
    clock: systemClock,
    ruleTime: new RuleTime(systemClock, audit.newestAtMs),
    counts: createCounts(),
    log,
    audit,
  };
  prepareBridge(deps.bridge, log);
  const opened = await openRequests({
    config,
    deps,
    reload: async () => {
      const reloaded = await reloader.reload("approval");
      return reloaded.ok ? ok(null) : reloaded;
    },
    keep: (event) => keepRequestEvent(audit, systemClock, event),
  });
  if (!opened.ok) return opened;
  const { requests } = opened.value;
  const chosen = await chooseSource(config);
  if (!chosen.ok) {
    opened.value.close();
    return chosen;
  }
  const { source, warnings } = chosen.value;
  for (const reason of warnings) log.warning("containers.source", { reason });
  const sessions = new Sessions();
  const { envelopes, closeEnvelopes } = openEnvelopes({ config, key: stampKey.value, program: first.program, log });
  source.onGone((container) => {
    sessions.drop(container);
    envelopes.drop(container);
  });
  const reportBug = (cause: unknown) => {
    log.error("bug", { error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) });
  };
  const reportStatus = createStatusReport({ config, deps, reloader, sessions, containers: source, startedAt });
  const ownUid = process.getuid?.() ?? 0;
  const admit = (peer: Peer) => checkHostPeer(peer, ownUid);
  const identify = (peer: Peer) => source.identify(peer);
  const ruleIdKey = key.value;
  const host = createHostApp({
    deps,
    reloader,
    requests,
    sessions,
    envelopes,
    admit,
    reportStatus,
    ruleIdKey,
    reportBug,
  });
  const agent = createAgentApp({
    deps,
    sessions,
    requests,
    envelopes,
    identify,
    rates: new Rates(config.rates),
    ruleIdKey,
    timeoutMs: config.agentTimeoutMs,
    reportBug,
  });
  const served = await serveBoth(config, {
    host: host.handle,
    agent: agent.handle,
    identify,
    reportBug,
    log,
    audit,
    idle,
  });
  if (!served.ok) {
    await closeEnvelopes();
    source.close();
    opened.value.close();
    return served;
  }
  const watch = config.watch ? watchRules(config, reloader, { fingerprint, log, reportBug }) : null;
  log.info("ready", {
    version: VERSION,
    rules: set.rules.length,
    files: set.files,
    digest: set.digest,
    containers: source.kind,
    host_socket: config.hostSocket,
    agent_socket: config.agentSocket,
  });
  const reload = () => void reloader.reload("signal").catch(reportBug);
  idle.note();
  const stop = async () => {
    watch?.close();
    idle.close();
    await stopServing(served.value);
    await hooks.close();
    await closeEnvelopes();
    source.close();
    opened.value.close();
  };
  return ok({ reload, stop });
}

type Watching = Pick<WatchOptions, "log" | "reportBug"> & { readonly fingerprint: Fingerprint };

function watchRules(config: Config, reloader: Reloader, { fingerprint, log, reportBug }: Watching): RulesWatch {
  const onQuiet = (now: Fingerprint) => {
    if (!reloader.hasLoaded(now)) reloader.reload("watch").catch(reportBug);
  };
  return new RulesWatch({ dir: config.rulesDir, onQuiet, log, reportBug }, fingerprint);
}

type Served = { readonly listener: Listener; readonly server: HttpServer };

type Identify = (peer: Peer) => Promise<Result<Container, Problem>>;

type Serving = {
  readonly host: Handle;
  readonly agent: Handle;
  readonly identify: Identify;
  readonly reportBug: (cause: unknown) => void;
  readonly log: Log;
  readonly audit: DecisionLog;
  readonly idle: IdleCollector;
};

async function serveBoth(config: Config, serving: Serving): Promise<Result<readonly Served[], Problem>> {
  const { host, agent, identify, reportBug, log, audit, idle } = serving;
  const limits = new ConnectionLimits(new RefusalLog(log, audit));
  const wanted = [
    { path: config.hostSocket, mode: 0o600, directoryMode: 0o700, handle: host, door: { limits } },
    { path: config.agentSocket, mode: 0o666, directoryMode: 0o755, handle: agent, door: { limits, identify } },
  ];
  const served: Served[] = [];
  for (const { path, mode, directoryMode, handle, door } of wanted) {
    const server = new HttpServer({ handle: idle.noting(handle), reportBug });
    const onConnection = (socket: Socket) => accept(server, door, socket);
    const onError = (cause: Error) => log.error("socket.error", { socket: path, reason: cause.message });
    const made = makeDirectory(dirname(path), directoryMode);
    const listener = made.ok ? await listen({ path, mode, onConnection, onError }) : made;
    if (!listener.ok) {
      for (const each of served) await each.listener.close();
      return listener;
    }
    served.push({ listener: listener.value, server });
  }
  return ok(served);
}

/** What a connection has to pass; only containers are counted one by one. */
type Door = { readonly limits: ConnectionLimits; readonly identify?: Identify };

// The kernel is asked who is there before a byte is read; what it pinned is let go with the connection.
function accept(server: HttpServer, { limits, identify }: Door, socket: Socket): void {
  if (!limits.admit(socket, identify === undefined ? "host" : "agent")) return;
  const peer = identifyPeer(socket);
  if (peer.ok) socket.once("close", () => release(peer.value.process));
  const countFor = (container: Container) => limits.countFor(socket, container);
  server.accept(socket, { peer, countFor });
  if (peer.ok && identify !== undefined) void countForContainer(limits, socket, identify(peer.value));
}

// Who cannot be looked up yet is counted with the first request that can be: nobody gets by who comes too early.
async function countForContainer(
  limits: ConnectionLimits,
  socket: Socket,
  identified: Promise<Result<Container, Problem>>,
): Promise<void> {
  const container = await identified;
  if (container.ok && !limits.countFor(socket, container.value)) limits.refuseFor(socket, container.value);
  // Who may not check in at all must not take the room of those who may.
  const isNobody = !container.ok && container.error.code === "container.unknown";
  if (isNobody && !limits.countForNobody(socket)) limits.refuseFor(socket, undefined);
}

// The sockets go last: until then whoever asks is refused by a daemon that ends, and nobody else can take its place.
async function stopServing(served: readonly Served[]): Promise<void> {
  await Promise.all(served.map((each) => each.server.close(STOP_GRACE_MS)));
  await Promise.all(served.map((each) => each.listener.close()));
}
