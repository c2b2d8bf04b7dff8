// One file's definitions and conditions -> checked expressions and findings. Definitions belong to their file alone.
import { check, type Checked } from "../cel/check.ts";
import type { Environment } from "../cel/environment.ts";
import { formatTree } from "../cel/format.ts";
import { parse } from "../cel/parse.ts";
import type { CelProblem } from "../cel/problem.ts";
import { findReferences, type Reference } from "../cel/scan.ts";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import type { Span } from "../core/span.ts";
import type { AnalyzedRule } from "./analyzed-rule.ts";
import type { SourceText } from "../core/source-text.ts";
import type { DefinitionDocument, RuleDocument, RuleEntry } from "./document.ts";
import { expand, originOf } from "./expand.ts";
import {
  buildReferenceGraph,
  EXPANDED_LENGTH,
  expandedLength,
  type ReferenceGraph,
  type SoundDefinition,
  undefinedName,
} from "./references.ts";

/** What became of a file: the rules whose conditions hold, and everything that was found. */
export type CheckedFile = {
  readonly rules: readonly AnalyzedRule[];
  readonly findings: readonly Finding[];
};

/** Checks every definition and condition of a file. */
export function checkFile(document: RuleDocument, environment: Environment): CheckedFile {
  const findings = new FindingSet();
  const whole = new Set<string>();
  for (const definition of document.definitions) {
    const found = checkAlone(definition);
    if (found === null) whole.add(definition.name);
    else findings.add(found);
  }
  const graph = buildReferenceGraph(document.definitions, whole);
  for (const finding of graph.findings) findings.add(finding);
  const rules: AnalyzedRule[] = [];
  const used = new Set<string>();
  for (const entry of document.rules) {
    const references = findReferences(entry.condition.text);
    markUsed(references, graph, document, used);
    const checked = checkCondition({ entry, references, graph, environment, findings });
    if (checked === null) continue;
    const normal = formatTree(checked.tree);
    const origin = (span: Span) => originOf(entry.condition, span, graph.sound);
    rules.push({ file: document.file, entry, checked, normal, originOf: origin });
  }
  for (const definition of document.definitions) {
    if (used.has(definition.name)) continue;
    findings.add(unusedDefinition(definition));
    checkUnused(definition, graph, environment, findings);
  }
  return { rules, findings: findings.list };
}

// The same definition is checked again by every rule that uses it; what is found in it is reported once.
class FindingSet {
  readonly list: Finding[] = [];
  readonly #seen = new Set<string>();

  add(finding: Finding): void {
    const { place } = finding;
    const key = JSON.stringify([finding.code, place, finding.message]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.list.push(finding);
  }
}

// A definition must be one complete expression by itself, so that nothing in it can reach outside its parentheses.
function checkAlone(definition: DefinitionDocument): Finding | null {
  const parsed = parse(definition.expression.text, { references: true });
  if (parsed.ok) return null;
  return findingOf(parsed.error, definition.expression, `definition ${quote(definition.name)}`);
}

type ConditionCheck = {
  readonly entry: RuleEntry;
  readonly references: readonly Reference[];
  readonly graph: ReferenceGraph;
  readonly environment: Environment;
  readonly findings: FindingSet;
};

function checkCondition({ entry, references, graph, environment, findings }: ConditionCheck): Checked | null {
  const { condition } = entry;
  const label = `rule ${quote(entry.id)}`;
  const unknown = references.filter((reference) => !graph.declared.has(reference.name));
  for (const reference of unknown) {
    findings.add(undefinedName(condition, reference, graph.declared, entry.id));
  }
  const unsound = references.some((reference) => !graph.sound.has(reference.name));
  if (unknown.length > 0 || unsound) {
    // It cannot be checked as a whole; its own syntax still can.
    const parsed = parse(condition.text, { references: true });
    if (!parsed.ok) findings.add({ ...findingOf(parsed.error, condition, label), rule: entry.id });
    return null;
  }
  if (expandedLength(condition.text, references, graph.sound) > EXPANDED_LENGTH) {
    const message = `${label}: condition expands to over ${EXPANDED_LENGTH / 1024} KiB`;
    findings.add({ code: "rule.limit", severity: "error", message, place: entry.place, rule: entry.id });
    return null;
  }
  if (references.length > 0) {
    const own = parse(condition.text, { references: true });
    if (!own.ok) {
      findings.add({ ...findingOf(own.error, condition, label), rule: entry.id });
      return null;
    }
  }
  const checked = check(expand(condition.text, references, graph.sound), environment);
  if (checked.ok) return checked.value;
  for (const found of checked.error) findings.add(ruleFinding(found, entry, graph.sound));
  return null;
}

function ruleFinding(found: CelProblem, entry: RuleEntry, sound: ReadonlyMap<string, SoundDefinition>): Finding {
  const { place, definition } = originOf(entry.condition, found.span, sound);
  const where = definition === null ? "" : `, in definition ${quote(definition)}`;
  return { ...celFinding(found, `rule ${quote(entry.id)}${where}`), place, rule: entry.id };
}

// What no rule reaches is checked by itself: a typo in it is one all the same.
function checkUnused(
  definition: DefinitionDocument,
  graph: ReferenceGraph,
  environment: Environment,
  findings: FindingSet,
): void {
  const target = graph.sound.get(definition.name);
  if (target === undefined) return;
  const checked = check(expand(definition.expression.text, target.references, graph.sound), environment);
  if (checked.ok) return;
  for (const found of checked.error) {
    const origin = originOf(definition.expression, found.span, graph.sound);
    const name = origin.definition ?? definition.name;
    findings.add({ ...celFinding(found, `definition ${quote(name)}`), place: origin.place });
  }
}

function findingOf(found: CelProblem, source: SourceText, label: string): Finding {
  return { ...celFinding(found, label), place: source.place(found.span.start, found.span.end) };
}

function celFinding(found: CelProblem, label: string): Omit<Finding, "place"> {
  return {
    code: found.code,
    severity: "error",
    message: `${label}: ${found.message}`,
    ...(found.hint === undefined ? {} : { hint: found.hint }),
  };
}

function markUsed(
  references: readonly Reference[],
  graph: ReferenceGraph,
  document: RuleDocument,
  used: Set<string>,
): void {
  const waiting = references.map((reference) => reference.name);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue;
    used.add(name);
    const sound = graph.sound.get(name);
    const inner = sound?.references ?? referencesOf(name, document);
    waiting.push(...inner.map((reference) => reference.name));
  }
}

function referencesOf(name: string, document: RuleDocument): readonly Reference[] {
  const definition = document.definitions.find((each) => each.name === name);
  return definition === undefined ? [] : findReferences(definition.expression.text);
}

function unusedDefinition(definition: DefinitionDocument): Finding {
  return {
    code: "rule.unused-definition",
    severity: "warning",
    message: `definition ${quote(definition.name)} is used by no rule`,
    place: definition.place,
  };
}
