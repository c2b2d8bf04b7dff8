// `outcall doctor`: checks what the daemon needs from this host, and says for each failure what to do.
import { dirname } from "node:path";
import { flagSwitch, flagText, type RunPlan } from "../command/command.ts";
import { systemClock } from "../core/clock.ts";
import {
  DEFAULT_AGENT_SOCKET,
  DEFAULT_BRIDGE,
  DEFAULT_DOCKER_SOCKET,
  DEFAULT_HOST_SOCKET,
  DEFAULT_RULES_DIR,
  DEFAULT_STATE_DIR,
} from "../core/defaults.ts";
import { formatJson } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { escapeWhole, quote } from "../core/quote.ts";
import type { Result } from "../core/result.ts";
import { type Check, doubtful, failed, fine, type Outcome } from "../doctor/check.ts";
import { checkBridge } from "../doctor/check-bridge.ts";
import { checkClock } from "../doctor/check-clock.ts";
import { checkSocket, checkStateDir } from "../doctor/check-directories.ts";
import { checkDocker } from "../doctor/check-docker.ts";
import { checkKernel } from "../doctor/check-kernel.ts";
import { checkRules } from "../doctor/check-rules.ts";
import { StatusData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import type { CliCommand } from "./cli-command.ts";
import { isColored } from "./color.ts";

/** How long the daemon may take to report its state, in milliseconds. */
const TIMEOUT_MS = 2_000;

/** The command. */
export const doctor: CliCommand = {
  command: {
    path: ["doctor"],
    summary: "check what the daemon needs of this host; what is not named is the running daemon's, else the default",
    arguments: [],
    flags: [
      { name: "rules-dir", value: "path", summary: "directory of rule files", completes: "directory" },
      { name: "agent-socket", value: "path", summary: "socket for agents" },
      { name: "state-dir", value: "path", summary: "state directory", completes: "directory" },
      {
        name: "containers",
        value: "source",
        summary: "who says which container a process is in",
        choices: ["auto", "docker", "cgroup", "namespace"],
      },
      { name: "docker-socket", value: "path", summary: "socket of the Docker Engine API" },
      { name: "bridge", value: "name", summary: "bridge that must be up, or none" },
    ],
  },
  run: async (plan, io) => {
    const checks = await checkHost(plan);
    const isOk = !checks.some(({ outcome }) => outcome === "failed");
    const json = { version: 1, ok: isOk, checks };
    io.stdout(flagSwitch(plan, "json") ? `${formatJson(json)}\n` : formatChecks(checks, isColored(plan, io)));
    return isOk ? 0 : 1;
  },
};

/** What each socket must be. */
const HOST_SOCKET = {
  name: "host socket",
  flag: "socket",
  defaultPath: DEFAULT_HOST_SOCKET,
  mode: 0o600,
  directoryMode: 0o700,
} as const;
const AGENT_SOCKET = {
  name: "agent socket",
  flag: "agent-socket",
  defaultPath: DEFAULT_AGENT_SOCKET,
  mode: 0o666,
  directoryMode: 0o755,
} as const;

async function checkHost(plan: RunPlan): Promise<readonly Check[]> {
  const asked = await ask(plan, { method: "GET", path: "/api/v1/status", data: StatusData, timeoutMs: TIMEOUT_MS });
  const running = asked.ok ? asked.value : null;
  const text = (name: string, otherwise: string) => flagText(plan, name) ?? otherwise;
  const hostSocket = text("socket", DEFAULT_HOST_SOCKET);
  const agentSocket = text("agent-socket", running?.sockets.agent ?? DEFAULT_AGENT_SOCKET);
  const rulesDir = text("rules-dir", running?.rules.dir ?? DEFAULT_RULES_DIR);
  const stateDir = text("state-dir", running === null ? DEFAULT_STATE_DIR : dirname(running.decision_log.file));
  const source = text("containers", running?.containers.source ?? "auto");
  return [
    checkDaemon(asked, hostSocket),
    checkSocket({ ...HOST_SOCKET, path: hostSocket }),
    checkSocket({ ...AGENT_SOCKET, path: agentSocket }),
    checkStateDir(stateDir),
    checkRules(rulesDir),
    ...checkKernel(),
    await checkDocker({
      socketPath: text("docker-socket", DEFAULT_DOCKER_SOCKET),
      isGiven: flagText(plan, "docker-socket") !== undefined,
      source,
    }),
    checkBridge(text("bridge", running?.bridge.name ?? DEFAULT_BRIDGE), running !== null),
    checkClock(systemClock, rulesDir),
  ];
}

function checkDaemon(asked: Result<StatusData, Problem>, socket: string): Check {
  const name = "daemon";
  if (!asked.ok) {
    const { code, message } = asked.error;
    if (code !== "client.unreachable") return failed(name, message, "run doctor as root or as the daemon's user");
    return doubtful(name, `no daemon answers at ${quote(socket)}`, "start outcalld, or name its socket with --socket");
  }
  const { ready, reason, version, last_reload } = asked.value;
  if (!ready) return failed(name, `not ready: ${reason ?? "no reason given"}`, "outcall status");
  const broken = last_reload?.error ?? null;
  if (broken !== null) return doubtful(name, `the last reload failed: ${broken}`, "outcall rule reload");
  return fine(name, `ready, version ${version}`);
}

const COLORS: Readonly<Record<Outcome, string>> = { ok: "32", warning: "1;33", failed: "1;31" };

function formatChecks(checks: readonly Check[], isColorful: boolean): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const paint = (outcome: Outcome) => {
    const word = outcome.padEnd("warning".length);
    return isColorful ? `\u001b[${COLORS[outcome]}m${word}\u001b[0m` : word;
  };
  return checks.map(({ name, outcome, found, remedy }) => {
    const line = `${paint(outcome)}  ${name.padEnd(width)}  ${escapeWhole(found)}\n`;
    return remedy === null ? line : `${line}${" ".repeat("warning".length + width + 4)}-> ${escapeWhole(remedy)}\n`;
  }).join("");
}
