// Stage: the rules in force, the reloader, and the collector that frees the memory of a load.
import type { URL } from "node:url";
import type { Load } from "../reload/load-directory.ts";
import type { Fingerprint } from "../rule/fingerprint.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import type { DecisionLog } from "../audit/decision-log.ts";
import { systemClock } from "../core/clock.ts";
import type { Log } from "../log/logger.ts";
import { LiveRules } from "../reload/live-rules.ts";
import { Reloader } from "../reload/reloader.ts";
import type { Config } from "./config.ts";
import { collectGarbage } from "./engine.ts";
import { IdleCollector } from "./idle-collector.ts";
import { keepReload } from "./keep-change.ts";

/** The rules at the start, and the load that they come from. */
export type FirstRules = {
  readonly load: Load;
  readonly set: RuleSet;
  readonly fingerprint: Fingerprint;
  /** The entry of the program, which runs as a worker too. */
  readonly program: URL;
};

/** The options of the stage. */
export type OpenRulesOptions = {
  readonly config: Config;
  readonly first: FirstRules;
  readonly log: Log;
  readonly audit: DecisionLog;
  readonly startedAt: Date;
};

/** The rules of a daemon. */
export type OpenRules = { readonly rules: LiveRules; readonly reloader: Reloader; readonly idle: IdleCollector };

/** Puts the first rules in force. */
export function openRules(stack: AsyncDisposableStack, options: OpenRulesOptions): OpenRules {
  const { config, first: { set, load, fingerprint }, log, audit, startedAt } = options;
  const idle = new IdleCollector({ collect: collectGarbage, residentBytes: () => process.memoryUsage.rss() });
  stack.defer(() => idle.close());
  const rules = new LiveRules({ set, loadedAt: startedAt });
  const reloader = new Reloader({
    dir: config.rulesDir,
    load: () => load().finally(() => idle.note()),
    rules,
    clock: systemClock,
    log,
    keep: (reason, detail) => keepReload(audit, systemClock, reason, detail),
    first: fingerprint,
  });
  return { rules, reloader, idle };
}
