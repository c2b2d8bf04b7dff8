// startDaemon() with a failure in each stage: everything that the earlier stages did is undone.
import { afterEach, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgv } from "../../src/command/parse-argv.ts";
import { type Config, configOf } from "../../src/daemon/config.ts";
import { OUTCALLD } from "../../src/daemon/program.ts";
import { startDaemon } from "../../src/daemon/start.ts";
import type { Log, LogFields } from "../../src/log/logger.ts";
import { fingerprintOf } from "../../src/rule/fingerprint.ts";
import { loadRules } from "../../src/rule/load-rules.ts";
import { openStateDir } from "../../src/state/state-dir.ts";
import { callSocket } from "../support/program/daemon.ts";

const dirs: string[] = [];
afterEach(() => dirs.splice(0).forEach((dir) => rmSync(dir, { recursive: true, force: true })));

type Place = { readonly dir: string; readonly config: Config };

function place(more: Readonly<Record<string, string>> = {}): Place {
  const dir = mkdtempSync(join(tmpdir(), "outcall-start-"));
  dirs.push(dir);
  chmodSync(dir, 0o755);
  mkdirSync(join(dir, "rules.d"));
  mkdirSync(join(dir, "state"), { mode: 0o700 });
  const rules = 'version: "1"\nrules: [{id: r, condition: run.tool == "ls", action: allow}]\n';
  writeFileSync(join(dir, "rules.d", "a.yaml"), rules);
  const flags = {
    "rules-dir": join(dir, "rules.d"),
    "state-dir": join(dir, "state"),
    socket: join(dir, "host", "host.sock"),
    "agent-socket": join(dir, "agent", "agent.sock"),
    containers: "namespace",
    bridge: "none",
    ...more,
  };
  const argv = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const plan = parseArgv(OUTCALLD, argv, {});
  if (!plan.ok || plan.value.kind !== "run") throw new Error("no plan");
  const config = configOf(plan.value);
  if (!config.ok) throw new Error(config.error.message);
  return { dir, config: config.value };
}

async function start({ config }: Place) {
  const events: string[] = [];
  const write = (event: string, _fields: LogFields) => void events.push(event);
  const log: Log = { debug: write, info: write, warning: write, error: write };
  const load = () => {
    const { set, findings } = loadRules({ dir: config.rulesDir, trust: "owner" });
    if (set === null) throw new Error(findings[0]?.message);
    return set;
  };
  const program = pathToFileURL(join(import.meta.dir, "..", "..", "src", "outcalld.ts"));
  const first = {
    load: () => Promise.reject(new Error("nothing is reloaded here")),
    set: load(),
    fingerprint: await fingerprintOf(config.rulesDir),
    program,
  };
  return { started: await startDaemon(config, first, log), events };
}

// The files below a directory that this process has open: the lock, databases, sockets.
function openBelow(dir: string): readonly string[] {
  const targets = readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // The descriptor of the listing itself.
    }
  });
  return targets.filter((target) => target.startsWith(dir));
}

function socketsOf({ config }: Place): readonly string[] {
  return [config.hostSocket, config.agentSocket].filter((path) => existsSync(path) && lstatSync(path).isSocket());
}

type Fault = {
  readonly stage: string;
  readonly flags?: Readonly<Record<string, string>>;
  /** Makes the stage fail; returns a function that undoes it. */
  readonly cause: (place: Place) => () => void;
  readonly code: string;
};

function writeOver(path: string): () => void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "", { mode: 0o644 });
  return () => rmSync(path);
}

function makeOver(path: string): () => void {
  mkdirSync(path);
  return () => rmSync(path, { recursive: true });
}

const FAULTS: readonly Fault[] = [
  {
    stage: "the operators' group",
    flags: { "operators-group": "nothing-of-this-name" },
    cause: () => () => {},
    code: "daemon.configuration",
  },
  {
    stage: "the lock of the state directory",
    cause: ({ config }) => {
      const held = openStateDir(config.stateDir);
      if (!held.ok) throw new Error(held.error.message);
      return held.value.close;
    },
    code: "daemon.configuration",
  },
  {
    stage: "the keys",
    cause: ({ config }) => writeOver(join(config.stateDir, "rule-id.key")),
    code: "daemon.configuration",
  },
  {
    stage: "the decision log",
    cause: ({ config }) => makeOver(join(config.stateDir, "decisions.db")),
    code: "audit.broken",
  },
  {
    stage: "the rule requests",
    cause: ({ config }) => makeOver(join(config.stateDir, "requests.db")),
    code: "request.store",
  },
  {
    stage: "the container source",
    flags: { containers: "docker", "docker-socket": "/nothing/of/this/name.sock" },
    cause: () => () => {},
    code: "container.no-source",
  },
  { stage: "the host socket", cause: ({ config }) => writeOver(config.hostSocket), code: "daemon.socket-bind" },
  { stage: "the agent socket", cause: ({ config }) => writeOver(config.agentSocket), code: "daemon.socket-bind" },
];

test.each([...FAULTS])(
  "B3: a start that fails at $stage leaves nothing, and the next start succeeds",
  async (fault) => {
    const at = place(fault.flags);
    const repair = fault.cause(at);
    const held = openBelow(at.dir);
    const { started, events } = await start(at);
    expect(started).toMatchObject({ ok: false, error: { code: fault.code } });
    expect(events).not.toContain("ready");
    expect(socketsOf(at)).toEqual([]);
    expect(openBelow(at.dir)).toEqual(held);
    repair();
    const next = { ...at, config: { ...at.config, operatorsGroup: null, containers: "namespace" } as const };
    const again = await start(next);
    if (!again.started.ok) throw new Error(again.started.error.message);
    expect(again.events).toContain("ready");
    const health = await callSocket(at.config.hostSocket, "GET", "/api/v1/health");
    expect(health).toMatchObject({ status: 200, body: { data: { ready: true } } });
    await again.started.value.stop();
    expect(socketsOf(at)).toEqual([]);
    expect(openBelow(at.dir)).toEqual([]);
  },
);
