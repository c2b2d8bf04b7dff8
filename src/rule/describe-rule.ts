// Describes rules for the operator: a summary for lists (S003-IF-002) and all details of one rule (S003-IF-003).
import type { RuleDetail, RuleSummary } from "../wire/host-api.ts";
import type { Rule } from "./rule-set.ts";

/** The longest preview of a condition, including the dots. */
const PREVIEW_LENGTH = 80;

/** The summary of a rule for lists. */
export function summarizeRule(rule: Rule): RuleSummary {
  return {
    id: rule.id,
    file: rule.file,
    action: rule.action,
    condition_preview: previewCondition(rule.condition),
    description: rule.description,
  };
}

/** All details of a rule, with its definitions expanded. */
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

/** The condition as written, with white space folded, cut to the limit. */
function previewCondition(condition: string): string {
  const folded = condition.trim().replace(/\s+/g, " ");
  const characters = [...folded];
  if (characters.length <= PREVIEW_LENGTH) return folded;
  return `${characters.slice(0, PREVIEW_LENGTH - 3).join("")}...`;
}
