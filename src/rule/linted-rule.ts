// AnalyzedRule: a rule whose condition holds together, before it is compiled, with the way back to its place in the file.
import type { Checked } from "../cel/check-expression.ts";
import type { Finding, Severity } from "../core/finding.ts";
import type { ProblemCode } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import type { Span } from "../core/span.ts";
import type { RuleEntry } from "./document.ts";
import type { Origin } from "./expand.ts";

/** A rule with its checked condition. */
export type AnalyzedRule = {
  readonly file: string;
  readonly entry: RuleEntry;
  readonly checked: Checked;
  /** The canonical text of the checked tree: equal for conditions that are the same but for spelling. */
  readonly normal: string;
  /** Where a span of the expanded condition lies in the file. */
  readonly originOf: (span: Span) => Origin;
};

/** A warning about a rule, at a span of its condition or, without one, at its id. */
export function warningOf(rule: AnalyzedRule, code: ProblemCode, message: string, span?: Span, hint?: string): Finding {
  const severity: Severity = "warning";
  return {
    code,
    severity,
    message: `rule ${quote(rule.entry.id)}: ${message}`,
    place: span === undefined ? rule.entry.place : rule.originOf(span).place,
    rule: rule.entry.id,
    ...(hint === undefined ? {} : { hint }),
  };
}
