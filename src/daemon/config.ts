// Plan -> Config: every value of the command line, parsed and checked before the daemon touches anything.
import { resolve } from "node:path";
import type { Limits } from "../audit/retention.ts";
import type { PlanOf } from "../command/command.ts";
import type { SourceChoice } from "../container/choose.ts";
import type { RequiredLabel } from "../container/required-label.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { RulespecSource } from "../envelope/rulespec-source.ts";
import type { LogConfig } from "../log/logger.ts";
import type { RateLimits } from "../session/rates.ts";
import type { OUTCALLD } from "./program.ts";

/** The configuration of the daemon. */
export type Config = LogConfig & {
  readonly rulesDir: string;
  readonly hostSocket: string;
  readonly agentSocket: string;
  readonly stateDir: string;
  readonly containers: SourceChoice;
  readonly dockerSocket: string;
  readonly isDockerSocketGiven: boolean;
  /** The bridge that must be up; null: the daemon needs no bridge. */
  readonly bridge: string | null;
  /** Whether the daemon reloads when the rules directory changes. */
  readonly watch: boolean;
  readonly agentTimeoutMs: number;
  readonly rates: RateLimits;
  /** The label that a container must have; null: any container may check in. */
  readonly requireLabel: RequiredLabel | null;
  /** The user besides root that may own containers' cgroups; undefined: no other user. */
  readonly cgroupOwner: number | undefined;
  /** The name of the group whose members may read on the host socket; null: none. */
  readonly operatorsGroup: string | null;
  /** Where the operator keeps rulespecs; null: there are none. */
  readonly rulespec: RulespecSource;
  /** The longest time for which decisions are kept, and the greatest size of the log. */
  readonly logLimits: Limits;
  readonly checkOnly: boolean;
};

/** The configuration, or a problem that names the flags that contradict each other. */
export function configOf({ flags, given }: PlanOf<typeof OUTCALLD>): Result<Config, Problem> {
  if (flags.socket === flags["agent-socket"]) return err(usage("--socket and --agent-socket are the same path"));
  const rulespec = flags.rulespec;
  const rulespecDir = flags["rulespec-dir"];
  if (rulespec !== undefined && rulespecDir !== undefined) {
    return err(usage("--rulespec and --rulespec-dir exclude each other"));
  }
  return ok({
    rulesDir: resolve(flags["rules-dir"]),
    hostSocket: flags.socket,
    agentSocket: flags["agent-socket"],
    stateDir: resolve(flags["state-dir"]),
    containers: flags.containers,
    dockerSocket: flags["docker-socket"],
    isDockerSocketGiven: given["docker-socket"],
    bridge: flags.bridge === "none" ? null : flags.bridge,
    watch: flags.watch,
    agentTimeoutMs: flags["agent-timeout"],
    rates: { permissions: flags["agent-perm-rate"], ruleRequests: flags["agent-rule-rate"] },
    requireLabel: flags["require-label"] ?? null,
    cgroupOwner: flags["cgroup-owner"],
    operatorsGroup: flags["operators-group"] ?? null,
    rulespec: rulespec !== undefined
      ? { kind: "file", path: resolve(rulespec) }
      : rulespecDir !== undefined
      ? { kind: "dir", path: resolve(rulespecDir) }
      : null,
    logFormat: flags["log-format"],
    logLevel: flags["log-level"],
    logLimits: { keepMs: flags["log-keep"], maxBytes: flags["log-max"] },
    checkOnly: flags.check,
  });
}

function usage(message: string): Problem {
  return problem("command.usage", message);
}
