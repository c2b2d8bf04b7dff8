// Rule -> what an operator is shown of it: one line for lists (S003-IF-002), everything for one rule (S003-IF-003).
import type { RuleDetail, RuleSummary } from "../wire/host-api.ts";
import type { Rule } from "./rule-set.ts";

/** Longest preview of a condition, the dots that stand for the rest counted. */
const PREVIEW_LENGTH = 80;

/** One line of the list of rules. */
export function summarizeRule(rule: Rule): RuleSummary {
  return {
    id: rule.id,
    file: rule.file,
    action: rule.action,
    condition_preview: previewCondition(rule.condition),
    description: rule.description,
  };
}

/** Everything about a rule, its condition expanded. */
export function detailRule(rule: Rule): RuleDetail {
  return {
    id: rule.id,
    file: rule.file,
    line: rule.line,
    condition: rule.expanded,
    action: rule.action,
    log: rule.log,
    description: rule.description,
    priority: rule.priority,
    reason: rule.reason,
    egress: rule.egress,
    ...(rule.expires === null ? {} : { expires: rule.expires }),
    enrich: rule.enrich === null ? null : { script: rule.enrich.script, timeout_ms: rule.enrich.timeoutMs },
  };
}

/** The condition as written, white space folded, cut to the limit. */
function previewCondition(condition: string): string {
  const folded = condition.trim().replace(/\s+/g, " ");
  const characters = [...folded];
  if (characters.length <= PREVIEW_LENGTH) return folded;
  return `${characters.slice(0, PREVIEW_LENGTH - 3).join("")}...`;
}
