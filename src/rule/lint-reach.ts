// Lints constant conditions, and rules that can never decide because an earlier rule always decides first.
import type { Finding } from "../core/finding.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { quote } from "../core/quote.ts";
import { isTrue } from "./cannot-fail.ts";
import { constantOf } from "./constant.ts";
import { EarlierRules } from "./earlier-rules.ts";
import { type AnalyzedRule, warningOf } from "./linted-rule.ts";

/** Finds a condition that is always true or always false. A block rule with a literal `true` is deliberate. */
export function constantCondition(rule: AnalyzedRule): readonly Finding[] {
  const { checked, entry } = rule;
  const value = constantOf(checked);
  if (value === null || (entry.action === "block" && isTrue(checked.tree))) return [];
  return [warningOf(rule, "rule.constant", `condition is always ${value}`, checked.tree.span)];
}

/** Finds rules that an earlier rule always decides before. */
export function* unreachableRules(rules: readonly AnalyzedRule[]): Interruptible<readonly Finding[]> {
  const findings: Finding[] = [];
  const earlier = new EarlierRules();
  for (const rule of rules) {
    yield;
    const cover = earlier.find(rule);
    if (cover !== undefined) findings.push(unreachable(rule, cover));
    earlier.add(rule);
  }
  return findings;
}

function unreachable(rule: AnalyzedRule, cover: AnalyzedRule): Finding {
  const { place, id } = cover.entry;
  const where = `rule ${quote(id)} at ${place.file}:${place.line}`;
  return warningOf(rule, "rule.unreachable", `can never be reached, ${where} decides before it`);
}
