// AnalyzedRule: a rule whose condition holds together, before it is compiled, with the way back to its place in the file.
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
  /** The canonical text of the checked tree: equal for conditions that are the same but for spelling. */
  readonly normal: string;
  /** Where a span of the expanded condition lies in the file. */
  readonly originOf: (span: Span) => Origin;
  /** The users of the definitions of its file. */
  readonly users: DefinitionUsers;
};

/**
 * A warning about a rule, at a span of its condition or, without one, at its id. Where the span lies in a definition, the
 * warning is the same for every rule that uses it, so that `Warnings` keeps one.
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

/** The warnings of a set, each once. */
export class Warnings {
  readonly #found = new Map<string, Finding>();

  /** Adds the warnings of a rule; of two that differ in their hint alone, a block rule's is kept, which says more. */
  add(findings: readonly Finding[], { entry }: AnalyzedRule): void {
    for (const finding of findings) {
      const key = JSON.stringify([finding.code, finding.place, finding.message]);
      if (entry.action === "block" || !this.#found.has(key)) this.#found.set(key, finding);
    }
  }

  /** All of them, in the order in which they were found. */
  get list(): readonly Finding[] {
    return [...this.#found.values()];
  }
}
