// Evaluation -> log records: one for the decision, one for each logged hook on its way, warnings for what went wrong.
import { DEFAULT_BLOCK } from "../core/decision.ts";
import type { Context } from "../core/context.ts";
import type { Evaluation } from "../rule/evaluate-rules.ts";
import type { Rule, RuleSet } from "../rule/rule-set.ts";
import type { Log, LogFields } from "../log/logger.ts";
import { roundMs } from "../log/round-ms.ts";
import { summarize } from "../log/summarize-context.ts";

/** A single evaluation should stay under this without its hooks, in milliseconds; over it the log says so (S003-FR-031). */
export const EVALUATION_BUDGET_MS = 50;

/** What is known of an evaluation besides its outcome. */
export type DecisionFacts = {
  readonly requester: LogFields;
  readonly set: RuleSet;
  readonly context: Context;
  readonly evaluation: Evaluation;
  /** How long it took, and how much of that its hooks. */
  readonly durationMs: number;
  readonly hooksMs: number;
};

/** Writes the records: at info level where the rule says `log: true` (S003-FR-020), else at debug level (FR-029). */
export function recordDecision(log: Log, facts: DecisionFacts): void {
  const { requester, set, evaluation, durationMs, hooksMs } = facts;
  const { decision, rule, hooks, warnings, costliest } = evaluation;
  for (const { rule: id, file, message } of warnings) {
    log.warning("rule.unevaluable", { rule: id, file, message, ...requester });
  }
  const isSlow = durationMs - hooksMs > EVALUATION_BUDGET_MS;
  if (log.writesDebug === false && !isSlow && rule?.log !== true && !hooks.some((hook) => hook.log)) return;
  const context = summarize(facts.context);
  for (const hook of hooks) write(log, hook, { ...requester, decision: "enrich", ...namesOf(hook), context });
  const record = {
    ...requester,
    decision: decision.decision,
    ...namesOf(rule),
    digest: set.digest,
    duration_ms: roundMs(durationMs),
    context,
  };
  write(log, rule, record);
  if (!isSlow) return;
  log.warning("decision.slow", { ...record, limit_ms: EVALUATION_BUDGET_MS, slowest_rule: costliest?.id ?? null });
}

function write(log: Log, rule: Rule | null, record: LogFields): void {
  if (rule?.log === true) log.info("decision", record);
  else log.debug("decision", record);
}

function namesOf(rule: Rule | null): LogFields {
  return { rule: rule?.id ?? DEFAULT_BLOCK, file: rule?.file ?? null };
}
