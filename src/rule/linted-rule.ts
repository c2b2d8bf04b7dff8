// AnalyzedRule: a rule with a checked condition, before it is compiled, which can map spans back to places in the file.
import type { Checked } from "../cel/check-expression.ts";
import type { Finding, Severity } from "../core/finding.ts";
import type { ProblemCode } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import type { Span } from "../core/span.ts";
import { labelWithin } from "./check-condition.ts";
import type { DefinitionUsers } from "./definition-users.ts";
import type { RuleEntry } from "./document.ts";
import type { Origin } from "./expand.ts";

/** A rule with its checked condition. */
export type AnalyzedRule = {
  readonly file: string;
  readonly entry: RuleEntry;
  readonly checked: Checked;
  /** The canonical text of the tree: equal for conditions that differ only in spelling. */
  readonly normal: string;
  /** Finds the place in the file of a span of the expanded condition. */
  readonly originOf: (span: Span) => Origin;
  /** The users of the definitions of its file. */
  readonly users: DefinitionUsers;
};

/**
 * Makes a warning about a rule, at a span of its condition or, without a span, at its id. For a span in a definition, the
 * warning is equal for all rules that use the definition, so that `Warnings` keeps one of them.
 */
export function warningOf(rule: AnalyzedRule, code: ProblemCode, message: string, span?: Span, hint?: string): Finding {
  const { entry, users } = rule;
  const severity: Severity = "warning";
  const origin = span === undefined ? null : rule.originOf(span);
  const definition = origin?.definition ?? null;
  const label = definition === null ? `rule ${quote(entry.id)}` : labelWithin(definition, users);
  return {
    code,
    severity,
    message: `${label}: ${message}`,
    place: origin === null ? entry.place : origin.place,
    rule: definition === null ? entry.id : users.firstOf(definition) ?? entry.id,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Collects the warnings of a set without duplicates. */
export class Warnings {
  readonly #found = new Map<string, Finding>();

  /** Adds the warnings of a rule. Of two that differ only in the hint, a block rule's is kept, because it is more precise. */
  add(findings: readonly Finding[], { entry }: AnalyzedRule): void {
    for (const finding of findings) {
      const key = JSON.stringify([finding.code, finding.place, finding.message]);
      if (entry.action === "block" || !this.#found.has(key)) this.#found.set(key, finding);
    }
  }

  /** All warnings, in the order in which they were added. */
  get list(): readonly Finding[] {
    return [...this.#found.values()];
  }
}
