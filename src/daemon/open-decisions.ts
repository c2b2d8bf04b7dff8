// Stage: the parts that decisions need besides rules: the bridge, the hooks, the queue of evaluations, the counts.
import type { DecisionLog } from "../audit/decision-log.ts";
import { BridgeProbe } from "../bridge/state.ts";
import { prepareBridge } from "../api/switch-bridge.ts";
import { systemClock } from "../core/clock.ts";
import { FairQueue } from "../core/fair-queue.ts";
import { createCounts } from "../decision/counts.ts";
import { type DecideDeps, EVALUATION_LIMITS } from "../decision/decide.ts";
import { RuleTime } from "../decision/rule-time.ts";
import { HookRunner } from "../hook/runner.ts";
import type { Log } from "../log/logger.ts";
import type { LiveRules } from "../reload/live-rules.ts";
import type { Config } from "./config.ts";

/** The options of the stage. */
export type OpenDecisionsOptions = {
  readonly config: Config;
  readonly rules: LiveRules;
  readonly log: Log;
  readonly audit: DecisionLog;
};

/** Prepares the bridge and the hooks; hooks that run when the daemon stops are killed. */
export function openDecisions(
  stack: AsyncDisposableStack,
  { config, rules, log, audit }: OpenDecisionsOptions,
): DecideDeps {
  const bridge = new BridgeProbe(config.bridge, systemClock);
  prepareBridge(bridge, log);
  const hooks = new HookRunner(config.rulesDir);
  stack.defer(() => hooks.close());
  return {
    rules,
    bridge,
    runHook: (rule, input, turn) => hooks.run(rule, input, turn),
    turns: new FairQueue(EVALUATION_LIMITS),
    clock: systemClock,
    ruleTime: new RuleTime(systemClock, audit.newestAtMs),
    counts: createCounts(),
    log,
    audit,
  };
}
