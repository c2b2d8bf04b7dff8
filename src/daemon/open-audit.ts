// The decision log from the daemon's start to its end: what happens to it is an event, and start and stop are records.
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

/** The open log, and its end, which is put on record. */
export type OpenAudit = { readonly audit: DecisionLog; readonly close: () => Promise<void> };

/** Opens the log of the state directory, which is there and locked; the start is on record when this resolves. */
export async function openAudit(config: Config, set: RuleSet, log: Log): Promise<Result<OpenAudit, Problem>> {
  const onError: DecisionLogOptions["onError"] = (found) => {
    if (found === null) log.warning("decision-log.available", {});
    else log.error("decision-log.error", { code: found.code, reason: found.message });
  };
  const { stateDir, logLimits: limits } = config;
  const opened = await DecisionLog.open({ stateDir, limits, clock: systemClock, onError });
  if (!opened.ok) return opened;
  const audit = opened.value;
  const keep = (kind: "start" | "stop", detail: JsonObject) => {
    const at = systemClock.now();
    return audit.append({ kind, at, source: "daemon", container: NO_CONTAINER, reason: null, detail });
  };
  const { digest, files, rules } = set;
  const started = await keep("start", { version: VERSION, pid: process.pid, digest, files, rules: rules.length });
  if (!started.ok) {
    await audit.close();
    return started;
  }
  const close = async () => {
    const stopped = await keep("stop", { pid: process.pid });
    if (!stopped.ok) log.error("decision-log.error", { reason: "the stop could not be put on record" });
    await audit.close();
  };
  return ok({ audit, close });
}
