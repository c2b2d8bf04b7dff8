// Plan -> Config: every value of the command line, parsed and checked before the daemon touches anything.
import { resolve } from "node:path";
import type { Limits } from "../audit/retention.ts";
import { flagSwitch, flagText, type RunPlan } from "../command/command.ts";
import { parseRequiredLabel, type RequiredLabel } from "../container/required-label.ts";
import {
  DEFAULT_AGENT_SOCKET,
  DEFAULT_BRIDGE,
  DEFAULT_DOCKER_SOCKET,
  DEFAULT_HOST_SOCKET,
  DEFAULT_RULES_DIR,
  DEFAULT_STATE_DIR,
} from "../core/defaults.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { parseAge, parseSize } from "../core/quantity.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Rate } from "../session/rate-window.ts";
import { DEFAULT_RATES, type RateLimits } from "../session/rates.ts";
import type { RulespecSource } from "../envelope/rulespec-source.ts";
import { DEFAULT_LOG_KEEP, DEFAULT_LOG_MAX } from "./program.ts";

/** The configuration of the daemon. */
export type Config = {
  readonly rulesDir: string;
  readonly hostSocket: string;
  readonly agentSocket: string;
  readonly stateDir: string;
  readonly containers: "auto" | "docker" | "cgroup" | "namespace";
  readonly dockerSocket: string;
  /** The bridge that must be up; null: none is needed. */
  readonly bridge: string | null;
  /** Whether changes of the rules directory are loaded without a call or a signal. */
  readonly watch: boolean;
  readonly agentTimeoutMs: number;
  readonly rates: RateLimits;
  /** The label that a container must have; null: any container may check in. */
  readonly requireLabel: RequiredLabel | null;
  /** The user besides root that may own containers' cgroups; undefined: root alone. */
  readonly cgroupOwner: number | undefined;
  /** The name of the group whose members may read on the host socket; null: none. */
  readonly operatorsGroup: string | null;
  /** Where the rulespecs are; null: there are none. */
  readonly rulespec: RulespecSource;
  readonly logFormat: "auto" | "json" | "text";
  readonly logLevel: "debug" | "info" | "warning" | "error";
  /** How long records of decisions are kept, and how many bytes of them. */
  readonly logLimits: Limits;
  readonly checkOnly: boolean;
};

/** The longest path that a Unix socket's address holds, its final NUL not counted (unix(7)). */
const SOCKET_PATH_BYTES = 107;

/** The name of a network device: visible ASCII without `/` and `:`, its final NUL not counted (netdevice(7), IFNAMSIZ). */
const DEVICE_NAME = /^(?!\.{1,2}$)[\x21-\x2e\x30-\x39\x3b-\x7e]{1,15}$/;

/** The configuration, or the first value that is malformed. */
export function configOf(plan: RunPlan): Result<Config, Problem> {
  const text = (name: string, otherwise: string) => flagText(plan, name) ?? otherwise;
  const hostSocket = text("socket", DEFAULT_HOST_SOCKET);
  const agentSocket = text("agent-socket", DEFAULT_AGENT_SOCKET);
  for (const [name, path] of [["socket", hostSocket], ["agent-socket", agentSocket]] as const) {
    const wrong = wrongSocketPath(name, path);
    if (wrong !== null) return err(wrong);
  }
  if (hostSocket === agentSocket) return err(usage("--socket and --agent-socket are the same path"));
  const bridge = text("bridge", DEFAULT_BRIDGE);
  if (!DEVICE_NAME.test(bridge)) return err(usage(`--bridge is the name of a device, not ${quote(bridge)}`));
  const agentTimeout = text("agent-timeout", "5s");
  const agentTimeoutMs = parseDuration(agentTimeout);
  if (agentTimeoutMs === null) {
    return err(usage(`--agent-timeout is a duration such as 500ms, 2s or 1m, not ${quote(agentTimeout)}`));
  }
  const permissions = rateOf(plan, "agent-perm-rate", DEFAULT_RATES.permissions);
  if (!permissions.ok) return permissions;
  const ruleRequests = rateOf(plan, "agent-rule-rate", DEFAULT_RATES.ruleRequests);
  if (!ruleRequests.ok) return ruleRequests;
  const label = flagText(plan, "require-label");
  const requireLabel = label === undefined ? null : parseRequiredLabel(label);
  if (label !== undefined && requireLabel === null) {
    return err(usage(`--require-label is key or key=value, not ${quote(label)}`));
  }
  const owner = flagText(plan, "cgroup-owner");
  if (owner !== undefined && !isUid(owner)) return err(usage(`--cgroup-owner is a user's number, not ${quote(owner)}`));
  const logLimits = logLimitsOf(text("log-keep", DEFAULT_LOG_KEEP), text("log-max", DEFAULT_LOG_MAX));
  if (!logLimits.ok) return logLimits;
  for (const name of ["rules-dir", "state-dir", "docker-socket", "operators-group", "rulespec", "rulespec-dir"]) {
    if (flagText(plan, name) === "") return err(usage(`--${name} is empty`));
  }
  const [rulespecFile, rulespecDir] = [flagText(plan, "rulespec"), flagText(plan, "rulespec-dir")];
  if (rulespecFile !== undefined && rulespecDir !== undefined) {
    return err(usage("--rulespec and --rulespec-dir exclude each other"));
  }
  return ok({
    rulesDir: resolve(text("rules-dir", DEFAULT_RULES_DIR)),
    hostSocket,
    agentSocket,
    stateDir: resolve(text("state-dir", DEFAULT_STATE_DIR)),
    containers: oneOf(text("containers", "auto"), ["auto", "docker", "cgroup", "namespace"]),
    dockerSocket: text("docker-socket", DEFAULT_DOCKER_SOCKET),
    bridge: bridge === "none" ? null : bridge,
    watch: flagSwitch(plan, "watch", true),
    agentTimeoutMs,
    rates: { permissions: permissions.value, ruleRequests: ruleRequests.value },
    requireLabel,
    cgroupOwner: owner === undefined ? undefined : Number(owner),
    operatorsGroup: flagText(plan, "operators-group") ?? null,
    rulespec: rulespecFile !== undefined
      ? { kind: "file", path: resolve(rulespecFile) }
      : rulespecDir !== undefined
      ? { kind: "dir", path: resolve(rulespecDir) }
      : null,
    logFormat: oneOf(text("log-format", "auto"), ["auto", "json", "text"]),
    logLevel: oneOf(text("log-level", "info"), ["debug", "info", "warning", "error"]),
    logLimits: logLimits.value,
    checkOnly: flagSwitch(plan, "check"),
  });
}

/** Longest duration that is accepted: a day, far below where timers overflow. */
const DURATION_LIMIT_MS = 86_400_000;

/** Milliseconds of `500ms`, `2s` or `1m`; null for anything else, zero and over a day included. */
export function parseDuration(text: string): number | null {
  const match = /^([0-9]{1,9})(ms|s|m)$/.exec(text);
  if (match === null) return null;
  const unit = match[2] === "ms" ? 1 : match[2] === "s" ? 1_000 : 60_000;
  const milliseconds = Number(match[1]) * unit;
  return milliseconds > 0 && milliseconds <= DURATION_LIMIT_MS ? milliseconds : null;
}

/** The most requests in a window, and the longest window in seconds. One time is kept for each request in the window. */
const RATE_COUNT_LIMIT = 1_000_000;
const RATE_SECONDS_LIMIT = 86_400;

/** The rate of `100/10`, a hundred in ten seconds; null for anything else, zeros and more than is kept included. */
export function parseRate(text: string): Rate | null {
  const match = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,4})$/.exec(text);
  if (match === null) return null;
  const [count, seconds] = [Number(match[1]), Number(match[2])];
  return count <= RATE_COUNT_LIMIT && seconds <= RATE_SECONDS_LIMIT ? { count, periodMs: seconds * 1_000 } : null;
}

function rateOf(plan: RunPlan, name: string, otherwise: Rate): Result<Rate, Problem> {
  const text = flagText(plan, name);
  if (text === undefined) return ok(otherwise);
  const rate = parseRate(text);
  return rate === null ? err(usage(`--${name} is a count and seconds such as 100/10, not ${quote(text)}`)) : ok(rate);
}

// A uid has 32 bits, and the highest value stands for no user (chown(2)).
function isUid(text: string): boolean {
  return /^(0|[1-9][0-9]{0,9})$/.test(text) && Number(text) < 0xffff_ffff;
}

/** The smallest decision log: a day's denials of one container fit. */
const LOG_MAX_LEAST_BYTES = 1e6;

function logLimitsOf(keep: string, max: string): Result<Limits, Problem> {
  const keepMs = parseAge(keep);
  if (keepMs === null) return err(usage(`--log-keep is an age such as 12h, 30d or 8w, not ${quote(keep)}`));
  const maxBytes = parseSize(max);
  if (maxBytes !== null && maxBytes >= LOG_MAX_LEAST_BYTES) return ok({ keepMs, maxBytes });
  return err(usage(`--log-max is a size of at least 1MB, such as 500MB or 1GB, not ${quote(max)}`));
}

function wrongSocketPath(name: string, path: string): Problem | null {
  if (!path.startsWith("/")) return usage(`--${name} must be an absolute path, not ${quote(path)}`);
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES) return usage(`--${name} is over ${SOCKET_PATH_BYTES} bytes`);
  return path.includes("\0") ? usage(`--${name} holds a NUL`) : null;
}

// The command table has already refused every other value.
function oneOf<const T extends string>(text: string, choices: readonly [T, ...T[]]): T {
  return choices.find((choice) => choice === text) ?? choices[0];
}

function usage(message: string): Problem {
  return problem("command.usage", message);
}
