// Checks one condition, and reports problems at their places in the file.
import { check, type Checked, checkParsed } from "../cel/check-expression.ts";
import type { Environment } from "../cel/environment.ts";
import { parseWritten } from "../cel/parse-expression.ts";
import type { CelProblem } from "../cel/cel-problem.ts";
import type { Reference } from "../cel/scan-tokens.ts";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import type { SourceText } from "../core/source-text.ts";
import type { Place } from "../core/span.ts";
import type { DefinitionUsers } from "./definition-users.ts";
import { expand, originOf } from "./expand.ts";
import type { ExpansionBudget } from "./expansion-budget.ts";
import { expandedLength, layOut, type ReferenceGraph, undefinedName } from "./references.ts";

/** A condition and its rule, whose id may be unreadable. */
export type ConditionSource = { readonly id: string | null; readonly place: Place; readonly condition: SourceText };

/** The inputs of a check, shared by all conditions of a file. */
export type ConditionCheck = {
  readonly references: readonly Reference[];
  readonly graph: ReferenceGraph;
  readonly environment: Environment;
  readonly budget: ExpansionBudget;
  readonly users: DefinitionUsers;
  readonly report: (finding: Finding) => void;
};

/** Checks a condition with its definitions expanded; null if problems were reported. */
export function checkCondition(source: ConditionSource, options: ConditionCheck): Checked | null {
  const { condition } = source;
  const { references, graph, environment, budget, users, report } = options;
  const ofRule = source.id === null ? {} : { rule: source.id };
  const label = source.id === null ? "rule" : `rule ${quote(source.id)}`;
  const own = parseWritten(condition.text, environment.library);
  if (!own.ok) report({ ...findingOf(own.error, condition, label), ...ofRule });
  const unknown = references.filter((reference) => !graph.declared.has(reference.name));
  for (const reference of unknown) report({ ...undefinedName(condition, reference, graph.declared, label), ...ofRule });
  if (!own.ok || references.some((reference) => !graph.sound.has(reference.name))) return null;
  const pieces = layOut(references, graph.sound);
  const limit = budget.take(expandedLength(condition.text, pieces));
  if (limit !== null) {
    report({ code: "rule.limit", severity: "error", message: `${label}: ${limit}`, place: source.place, ...ofRule });
    return null;
  }
  const checked = references.length === 0
    ? checkParsed(condition.text, own.value, environment, budget.patterns)
    : check(expand(condition.text, pieces, graph.sound), environment, budget.patterns);
  if (checked.ok) return checked.value;
  for (const found of checked.error) {
    const { place, definition } = originOf(condition, pieces, found.span, graph.sound);
    if (definition === null) report({ ...celFinding(withSign(found, graph), label), place, ...ofRule });
    else report({ ...celFinding(found, labelWithin(definition, users)), place, ...ofRule });
  }
  return null;
}

// Adds the hint for a definition that is named without its `$`.
function withSign(found: CelProblem, { declared }: ReferenceGraph): CelProblem {
  const name = /^unknown name "(\w+)"$/.exec(found.message)?.[1];
  return name === undefined || !declared.has(name) ? found : { ...found, hint: `write $${name} for the definition` };
}

/** The start of a message about a definition: the rules that use it, and its name. */
export function labelWithin(definition: string, users: DefinitionUsers): string {
  return `${users.label(definition)}, in definition ${quote(definition)}`;
}

/** Makes a finding of a problem in a text without definitions. */
export function findingOf(found: CelProblem, source: SourceText, label: string): Finding {
  return { ...celFinding(found, label), place: source.place(found.span.start, found.span.end) };
}

/** Makes a finding, still without a place, of a problem in an expression. */
export function celFinding(found: CelProblem, label: string): Omit<Finding, "place"> {
  return {
    code: found.code,
    severity: "error",
    message: `${label}: ${found.message}`,
    ...(found.hint === undefined ? {} : { hint: found.hint }),
  };
}
