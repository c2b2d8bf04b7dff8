// `outcall doctor`: checks that this host has what the daemon needs, and prints a remedy for each failure.
import { dirname } from "node:path";
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import { systemClock } from "../core/clock.ts";
import {
  CONTAINER_SOURCES,
  DEFAULT_AGENT_SOCKET,
  DEFAULT_BRIDGE,
  DEFAULT_CONTAINER_SOURCE,
  DEFAULT_DOCKER_SOCKET,
  DEFAULT_HOST_SOCKET,
  DEFAULT_RULES_DIR,
  DEFAULT_STATE_DIR,
} from "../core/defaults.ts";
import { formatJson } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { escapeWhole, quote } from "../core/quote.ts";
import type { Result } from "../core/result.ts";
import { isSocketForbidden } from "../client/call.ts";
import { type Check, doubtful, failed, fine, type Outcome } from "../doctor/check.ts";
import { checkBridge } from "../doctor/check-bridge.ts";
import { checkClock } from "../doctor/check-clock.ts";
import { checkSocket, checkStateDir } from "../doctor/check-directories.ts";
import { checkDocker } from "../doctor/check-docker.ts";
import { checkKernel } from "../doctor/check-kernel.ts";
import { checkRules } from "../doctor/check-rules.ts";
import { StatusData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand } from "./cli-command.ts";
import { isColored } from "./color.ts";

/** How long the daemon may take to report its state, in milliseconds. */
const TIMEOUT_MS = 2_000;

const DOCTOR_FLAGS = defineFlags({
  "rules-dir": {
    value: "path",
    summary: "directory of rule files",
    otherwise: `the running daemon's, else ${DEFAULT_RULES_DIR}`,
    completes: "directory",
  },
  "agent-socket": {
    value: "path",
    summary: "socket for agents",
    otherwise: `the running daemon's, else ${DEFAULT_AGENT_SOCKET}`,
  },
  "state-dir": {
    value: "path",
    summary: "state directory",
    otherwise: `the running daemon's, else ${DEFAULT_STATE_DIR}`,
    completes: "directory",
  },
  containers: {
    value: "source",
    summary: "how the daemon finds out which container a process is in",
    choices: CONTAINER_SOURCES,
    otherwise: `the running daemon's, else ${DEFAULT_CONTAINER_SOURCE}`,
  },
  "docker-socket": { value: "path", summary: "socket of the Docker Engine API", otherwise: DEFAULT_DOCKER_SOCKET },
  bridge: {
    value: "name",
    summary: "bridge that must be up, or none",
    otherwise: `the running daemon's, else ${DEFAULT_BRIDGE}`,
  },
});

type DoctorPlan = CliPlan<typeof DOCTOR_FLAGS>;

/** The command. */
export const doctor = cliCommand({
  command: {
    usage: "doctor",
    summary: "check that this host has what the daemon needs",
    details: "Each failure is printed with what to do about it. The exit code is 1 if a check failed.",
    flags: DOCTOR_FLAGS,
    examples: [
      ["outcall doctor", "check the host with the running daemon's configuration"],
      ["outcall doctor --rules-dir ./rules.d --bridge none", "check before the daemon is set up"],
    ],
  },
  run: async (plan, io) => {
    const checks = await checkHost(plan);
    const isOk = !checks.some(({ outcome }) => outcome === "failed");
    const json = { version: 1, ok: isOk, checks };
    io.stdout(plan.flags.json ? `${formatJson(json)}\n` : formatChecks(checks, isColored(plan, io)));
    return isOk ? 0 : 1;
  },
});

/** The expected properties of each socket; the modes of the host socket depend on the operators' group. */
const HOST_SOCKET = { name: "host socket", flag: "socket", defaultPath: DEFAULT_HOST_SOCKET } as const;
const AGENT_SOCKET = {
  name: "agent socket",
  flag: "agent-socket",
  defaultPath: DEFAULT_AGENT_SOCKET,
  mode: 0o666,
  directoryMode: 0o755,
} as const;

// Members of an operators' group may connect; without one only root and the daemon's user may.
function hostModes(running: StatusData | null): { readonly mode: number; readonly directoryMode: number } {
  const hasGroup = running !== null && running.operators_group !== null;
  return hasGroup ? { mode: 0o660, directoryMode: 0o750 } : { mode: 0o600, directoryMode: 0o700 };
}

async function checkHost(plan: DoctorPlan): Promise<readonly Check[]> {
  const asked = await ask(plan, { method: "GET", path: "/api/v1/status", data: StatusData, timeoutMs: TIMEOUT_MS });
  const running = asked.ok ? asked.value : null;
  const { flags } = plan;
  const hostSocket = flags.socket;
  const agentSocket = flags["agent-socket"] ?? running?.sockets.agent ?? DEFAULT_AGENT_SOCKET;
  const rulesDir = flags["rules-dir"] ?? running?.rules.dir ?? DEFAULT_RULES_DIR;
  const stateDir = flags["state-dir"] ??
    (running === null ? DEFAULT_STATE_DIR : dirname(running.decision_log.file));
  const source = flags.containers ?? running?.containers.source ?? DEFAULT_CONTAINER_SOURCE;
  return [
    checkDaemon(asked, hostSocket),
    checkSocket({ ...HOST_SOCKET, ...hostModes(running), path: hostSocket }),
    checkSocket({ ...AGENT_SOCKET, path: agentSocket }),
    checkStateDir(stateDir),
    checkRules(rulesDir),
    ...checkKernel(),
    await checkDocker({
      socketPath: flags["docker-socket"] ?? DEFAULT_DOCKER_SOCKET,
      isGiven: plan.given["docker-socket"],
      source,
    }),
    checkBridge(flags.bridge ?? running?.bridge.name ?? DEFAULT_BRIDGE, running !== null),
    checkClock(systemClock, rulesDir),
  ];
}

function checkDaemon(asked: Result<StatusData, Problem>, socket: string): Check {
  const name = "daemon";
  if (!asked.ok) {
    const { code, message } = asked.error;
    const asOther = "run doctor as root or as the daemon's user";
    if (isSocketForbidden(asked.error)) return failed(name, `this user may not connect to ${quote(socket)}`, asOther);
    if (code !== "client.unreachable") return failed(name, message, asOther);
    return doubtful(name, `no daemon answers at ${quote(socket)}`, "start outcalld, or name its socket with --socket");
  }
  const { ready, reason, version, last_reload } = asked.value;
  if (!ready) return failed(name, `not ready: ${reason ?? "no reason given"}`, "outcall status");
  const broken = last_reload?.error ?? null;
  if (broken !== null) {
    return doubtful(name, `the last reload failed: ${broken}`, "fix the rules, then run: outcall rule reload");
  }
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
