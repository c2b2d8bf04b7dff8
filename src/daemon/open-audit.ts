// Stage: the decision log. Its errors are events, and the start and the stop of the daemon are records.
import { DecisionLog, type DecisionLogOptions } from "../audit/decision-log.ts";
import { NO_CONTAINER } from "../audit/entry.ts";
import { systemClock } from "../core/clock.ts";
import type { JsonObject } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { VERSION } from "../core/version.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import type { Config } from "./config.ts";
import type { Log } from "../log/logger.ts";

/** The options of the stage. */
export type OpenAuditOptions = { readonly config: Config; readonly set: RuleSet; readonly log: Log };

/** Opens the log of a locked state directory, and records the start. Undoing the stage records the stop. */
export async function openAudit(
  stack: AsyncDisposableStack,
  { config, set, log }: OpenAuditOptions,
): Promise<Result<DecisionLog, Problem>> {
  const onError: DecisionLogOptions["onError"] = (found) => {
    if (found === null) log.warning("decision-log.available", {});
    else log.error("decision-log.error", { code: found.code, reason: found.message });
  };
  const { stateDir, logLimits: limits } = config;
  const opened = await DecisionLog.open({ stateDir, limits, clock: systemClock, onError });
  if (!opened.ok) return opened;
  const audit = opened.value;
  stack.defer(() => audit.close());
  const keep = (kind: "start" | "stop", detail: JsonObject) => {
    const at = systemClock.now();
    return audit.append({ kind, at, source: "daemon", container: NO_CONTAINER, reason: null, detail });
  };
  const { digest, files, rules } = set;
  const started = await keep("start", { version: VERSION, pid: process.pid, digest, files, rules: rules.length });
  if (!started.ok) return started;
  stack.defer(async () => {
    const stopped = await keep("stop", { pid: process.pid });
    if (!stopped.ok) log.error("decision-log.error", { reason: "the stop cannot be recorded" });
  });
  return ok(audit);
}
