// Checks the definitions and conditions of one file. Definitions are visible only in their own file.
import { check } from "../cel/check-expression.ts";
import type { Environment } from "../cel/environment.ts";
import { formatTree } from "../cel/format-tree.ts";
import { parse } from "../cel/parse-expression.ts";
import { findReferences } from "../cel/scan-tokens.ts";
import type { Finding } from "../core/finding.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { quote } from "../core/quote.ts";
import type { Span } from "../core/span.ts";
import type { AnalyzedRule } from "./linted-rule.ts";
import { celFinding, checkCondition, type ConditionCheck, type ConditionSource, findingOf } from "./check-condition.ts";
import { DefinitionUsers } from "./definition-users.ts";
import type { DefinitionDocument, RuleDocument } from "./document.ts";
import { expand, originOf } from "./expand.ts";
import type { ExpansionBudget } from "./expansion-budget.ts";
import { buildReferenceGraph, layOut } from "./references.ts";

/** The result of a check: the rules with valid conditions, and all findings. */
export type CheckedFile = { readonly rules: readonly AnalyzedRule[]; readonly findings: readonly Finding[] };

/** Checks every definition and condition of a file, also of malformed rules, so that all problems are reported at once. */
export function* checkFile(
  document: RuleDocument,
  environment: Environment,
  budget: ExpansionBudget,
): Interruptible<CheckedFile> {
  const findings = new FindingSet();
  const report = (finding: Finding) => findings.add(finding);
  const users = new DefinitionUsers(document.definitions, [...document.rules, ...misshapenConditions(document)]);
  const whole = new Set<string>();
  for (const definition of document.definitions) {
    yield;
    const found = checkAlone(definition);
    if (found === null) whole.add(definition.name);
    else report(usedBy(found, definition.name, users));
  }
  const graph = buildReferenceGraph(document.definitions, whole);
  for (const { definition, finding } of graph.findings) report(usedBy(finding, definition, users));
  const rules: AnalyzedRule[] = [];
  for (const entry of document.rules) {
    yield;
    const references = findReferences(entry.condition.text);
    const checked = checkCondition(entry, { references, graph, environment, budget, users, report });
    if (checked === null) continue;
    const pieces = layOut(references, graph.sound);
    const origin = (span: Span) => originOf(entry.condition, pieces, span, graph.sound);
    rules.push({ file: document.file, entry, checked, normal: formatTree(checked.tree), originOf: origin, users });
  }
  for (const source of misshapenConditions(document)) {
    yield;
    const references = findReferences(source.condition.text);
    checkCondition(source, { references, graph, environment, budget, users, report });
  }
  for (const definition of document.definitions) {
    if (users.has(definition.name)) continue;
    yield;
    report(unusedDefinition(definition));
    checkUnused(definition, { graph, environment, budget, report });
  }
  return { rules, findings: findings.list };
}

// Every rule that uses a definition checks it again, but a finding in a definition is reported once.
class FindingSet {
  readonly list: Finding[] = [];
  readonly #seen = new Set<string>();

  add(finding: Finding): void {
    const key = JSON.stringify([finding.code, finding.place]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.list.push(finding);
  }
}

// A definition must be a complete expression, so that no part of it can take effect outside its parentheses.
function checkAlone(definition: DefinitionDocument): Finding | null {
  const parsed = parse(definition.expression.text, { references: true });
  if (parsed.ok) return null;
  return findingOf(parsed.error, definition.expression, `definition ${quote(definition.name)}`);
}

// A definition that no rule uses is checked too, because a typo in it is still an error.
function checkUnused(definition: DefinitionDocument, options: Omit<ConditionCheck, "references" | "users">): void {
  const { graph, environment, budget, report } = options;
  const target = graph.sound.get(definition.name);
  if (target === undefined) return;
  const { pieces, length } = target;
  const limit = budget.take(length);
  if (limit !== null) {
    const message = `definition ${quote(definition.name)}: ${limit}`;
    report({ code: "rule.limit", severity: "error", message, place: definition.place });
    return;
  }
  const checked = check(expand(definition.expression.text, pieces, graph.sound), environment, budget.patterns);
  if (checked.ok) return;
  for (const found of checked.error) {
    const origin = originOf(definition.expression, pieces, found.span, graph.sound);
    report({ ...celFinding(found, `definition ${quote(origin.definition ?? definition.name)}`), place: origin.place });
  }
}

function misshapenConditions(document: RuleDocument): readonly ConditionSource[] {
  return document.misshapen.flatMap(({ condition, ...rule }) => (condition === null ? [] : [{ ...rule, condition }]));
}

function usedBy(finding: Finding, definition: string, users: DefinitionUsers): Finding {
  const rule = users.firstOf(definition);
  if (rule === undefined) return finding;
  return { ...finding, message: `${finding.message}, used by ${users.label(definition)}`, rule };
}

function unusedDefinition(definition: DefinitionDocument): Finding {
  return {
    code: "rule.unused-definition",
    severity: "warning",
    message: `definition ${quote(definition.name)} is used by no rule`,
    place: definition.place,
  };
}
