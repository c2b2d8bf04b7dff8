// Checked rules in evaluation order -> warnings that need all of them (S003 section 6).
import type { Checked } from "../cel/check.ts";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import type { RuleEntry } from "./document.ts";

/** A rule whose condition holds together. */
export type AnalyzedRule = { readonly file: string; readonly entry: RuleEntry; readonly checked: Checked };

/** Every warning about the rules; `agentTimeoutMs` is the daemon's limit for an agent's evaluation. */
export function analyze(rules: readonly AnalyzedRule[], agentTimeoutMs: number): readonly Finding[] {
  void agentTimeoutMs;
  return rules.flatMap((rule) => notBoolean(rule));
}

function notBoolean({ entry, checked }: AnalyzedRule): readonly Finding[] {
  if (checked.type === "bool" || checked.type === "dyn") return [];
  return [{
    code: "rule.not-boolean",
    severity: "warning",
    message: `rule ${quote(entry.id)}: condition is of type ${checked.type}, never a boolean`,
    place: entry.condition.place(0, entry.condition.text.length),
    rule: entry.id,
  }];
}
