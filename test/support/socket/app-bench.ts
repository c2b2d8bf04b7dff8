// Both apps on real sockets inside the test process, for answers that a healthy daemon never gives.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BridgeProbe } from "../../../src/bridge/state.ts";
import type { Container } from "../../../src/container/container.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { type Problem, problem } from "../../../src/core/problem.ts";
import { err, ok, type Result } from "../../../src/core/result.ts";
import { createAgentApp } from "../../../src/api/agent-app.ts";
import type { AgentOptions } from "../../../src/api/agent-options.ts";
import type { App } from "../../../src/server/mount.ts";
import { doEnvelopeJob } from "../../../src/envelope/envelope-work.ts";
import type { RulespecSource } from "../../../src/envelope/rulespec-source.ts";
import { Envelopes } from "../../../src/envelope/envelopes.ts";
import { createCounts } from "../../../src/decision/counts.ts";
import type { DecideDeps } from "../../../src/decision/decide.ts";
import { RuleTime } from "../../../src/decision/rule-time.ts";
import { FairQueue } from "../../../src/core/fair-queue.ts";
import { createHostApp } from "../../../src/api/host-app.ts";
import type { HostOptions } from "../../../src/api/host-options.ts";
import { HttpServer } from "../../../src/server/http-server.ts";
import { LiveRules } from "../../../src/reload/live-rules.ts";
import type { LogFields } from "../../../src/log/logger.ts";
import type { ReportStatus } from "../../../src/api/status-report.ts";
import { identifyPeer } from "../../../src/peer/accept.ts";
import type { Peer } from "../../../src/peer/peer.ts";
import { analyzeHere } from "../request/analyze-here.ts";
import { RuleRequests } from "../../../src/request/requests.ts";
import { RequestStore } from "../../../src/request/request-store.ts";
import { loadRuleFiles, loadRules } from "../../../src/rule/load-rules.ts";
import { DEFAULT_RATES, Rates } from "../../../src/session/rates.ts";
import { Sessions } from "../../../src/session/sessions.ts";
import { memoryAudit } from "../audit/audit.ts";

/** A log record. */
type Written = { readonly level: string; readonly event: string; readonly fields: LogFields };

/** Replacements for the default parts of the apps. */
export type BenchOptions = {
  /** The place of the rulespec for envelopes. */
  readonly rulespec?: RulespecSource;
  readonly rules?: string;
  /** Whether an approval reloads the rules that it wrote, like in the daemon. */
  readonly reloads?: true;
  readonly deps?: Partial<DecideDeps>;
  readonly agent?: Partial<AgentOptions>;
  readonly host?: Partial<HostOptions>;
  /** Makes the daemon's status report; without it, the report fails with a bug. */
  readonly report?: (deps: DecideDeps, sessions: Sessions) => ReportStatus;
  /** The peer credentials of every connection. */
  readonly peer?: Result<Peer, Problem>;
};

/** A container with the given id. */
export function containerOf(id: string): Container {
  return {
    id,
    shortId: `ctr-${id.padEnd(12, "0").slice(0, 12)}`,
    name: `name-of-${id}`,
    image: "",
    labels: {},
    ownLabels: {},
    instance: `${id}:1`,
    source: "docker",
  };
}

/** The apps, their log records, and the bugs that they reported. */
export type AppBench = {
  readonly agent: App;
  readonly host: App;
  readonly agentSocket: string;
  readonly hostSocket: string;
  readonly deps: DecideDeps;
  readonly sessions: Sessions;
  readonly written: readonly Written[];
  readonly bugs: readonly unknown[];
  readonly stop: () => Promise<void>;
};

/** Creates both apps and starts to listen. */
export async function startApps(options: BenchOptions = {}): Promise<AppBench> {
  const written: Written[] = [];
  const bugs: unknown[] = [];
  const write = (level: string) => (event: string, fields: LogFields) => void written.push({ level, event, fields });
  const { set } = loadRuleFiles([{ name: "a.yaml", text: options.rules ?? 'version: "1"\nrules: []\n' }]);
  if (set === null) throw new Error("the rules do not load");
  const deps: DecideDeps = {
    rules: new LiveRules({ set, loadedAt: new Date(0) }),
    bridge: new BridgeProbe(null, systemClock),
    runHook: () => Promise.resolve(err("no hooks")),
    turns: new FairQueue({ runningPerKey: 16 }),
    clock: systemClock,
    ruleTime: new RuleTime(systemClock),
    counts: createCounts(),
    audit: memoryAudit().audit,
    log: { debug: write("debug"), info: write("info"), warning: write("warning"), error: write("error") },
    ...options.deps,
  };
  const sessions = options.agent?.sessions ?? new Sessions();
  const dir = mkdtempSync(join(tmpdir(), "outcall-apps-"));
  const store = RequestStore.open(dir);
  if (!store.ok) throw new Error(store.error.message);
  const kept = { stateDir: dir, source: options.rulespec ?? null, key: new Uint8Array(32) };
  const reload = (): Result<null, Problem> => {
    const loaded = loadRules({ dir, trust: "owner" });
    if (loaded.set === null) return err(problem("daemon.reload-failed", "the rules do not load"));
    deps.rules.swap({ set: loaded.set, loadedAt: new Date(0) });
    return ok(null);
  };
  const requests = new RuleRequests({
    store: store.value,
    rulesDir: dir,
    rules: () => deps.rules.current.set,
    reload: () => Promise.resolve(options.reloads === true ? reload() : ok(null)),
    keep: () => Promise.resolve(ok(null)),
    analyze: analyzeHere,
    now: () => new Date(0),
  });
  const envelopes = new Envelopes({
    thread: { run: (job) => Promise.resolve(doEnvelopeJob(kept, job, systemClock.now())) },
    source: kept.source,
    stateDir: dir,
    clock: systemClock,
  });
  const shared = {
    deps,
    requests,
    sessions,
    envelopes,
    ruleIdKey: { bytes: new Uint8Array(32) },
    reportBug: (cause: unknown) => void bugs.push(cause),
  };
  const agent = createAgentApp({
    ...shared,
    rates: new Rates(DEFAULT_RATES),
    identify: () => Promise.resolve(ok(containerOf("a"))),
    timeoutMs: 5_000,
    ...options.agent,
  });
  const host = createHostApp({
    ...shared,
    reloader: { reload: () => Promise.resolve(ok(set)) },
    admit: () => ok("write"),
    reportStatus: options.report?.(deps, sessions) ?? (() => {
      throw new Error("the status has a bug with secrets");
    }),
    ...options.host,
  });
  const servers = await Promise.all([agent, host].map(async (app, index) => {
    const http = new HttpServer({ handle: app.handle, reportBug: (cause) => bugs.push(cause) });
    const path = join(dir, `${index}.sock`);
    const listener = createServer({ allowHalfOpen: true }, (socket) => {
      http.accept(socket, { peer: options.peer ?? identifyPeer(socket), countFor: () => true });
    });
    await new Promise<void>((resolve) => listener.listen(path, resolve));
    return { http, listener, path };
  }));
  const stop = async () => {
    for (const { http, listener } of servers) {
      await http.close(0);
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    }
    store.value.close();
    rmSync(dir, { recursive: true, force: true });
  };
  const [agentSocket = "", hostSocket = ""] = servers.map((server) => server.path);
  return { agent, host, agentSocket, hostSocket, deps, sessions, written, bugs, stop };
}
