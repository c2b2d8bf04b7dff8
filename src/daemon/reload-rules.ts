// The rules directory -> the rules in force: all of it is loaded aside, then swapped in, or nothing changes.
import type { Clock } from "../core/clock.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { loadRules } from "../rule/load.ts";
import type { Config } from "./config.ts";
import { formatPlace } from "./findings.ts";
import type { LiveRules } from "./live-rules.ts";

/** Loads the directory and puts it in force. */
export function reloadRules(config: Config, rules: LiveRules, clock: Clock): Promise<Result<null, Problem>> {
  const { rulesDir, agentTimeoutMs } = config;
  const { set, findings } = loadRules({ dir: rulesDir, trust: "owner", agentTimeoutMs });
  if (set !== null) {
    rules.swap({ set, loadedAt: clock.now() });
    return Promise.resolve(ok(null));
  }
  const first = findings.find(({ severity }) => severity === "error");
  const where = first === undefined ? "" : `${formatPlace(first.place, rulesDir)}: ${first.message}`;
  const message = `reload failed: ${where}. Previous rules remain active.`;
  return Promise.resolve(err(problem(first?.code ?? "rule.file", message)));
}
