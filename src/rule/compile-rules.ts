// RuleDocuments -> RuleSet. All problems of all files are reported at once, each with its place. If one of them is an error,
// there is no rule set.
import { compile } from "../cel/compile-expression.ts";
import type { Environment } from "../cel/environment.ts";
import { compareFindings, type Finding, hasErrors } from "../core/finding.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { quote } from "../core/quote.ts";
import { comparePlaces, placeAt } from "../core/span.ts";
import { AGENT_TIMEOUT_MS, analyze, HOOK_TIMEOUT_MS } from "./lint-rules.ts";
import type { AnalyzedRule } from "./linted-rule.ts";
import { type CheckedAhead, createRuleEnvironment } from "./check-ahead.ts";
import { checkFile } from "./check-file.ts";
import { buildIndex } from "./lookup.ts";
import { digestOf } from "./rule-set-digest.ts";
import type { MisshapenRule, RuleDocument } from "./document.ts";
import { ExpansionBudget } from "./expansion-budget.ts";
import { expiryOf } from "./expires.ts";
import type { Rule, RuleSet } from "./rule-set.ts";

/** The most rules in all files together (S003-FR-018). */
export const RULES_LIMIT = 10_000;

/** The rule set, or null if a finding is an error. Findings are sorted by place. */
export type Compiled = { readonly set: RuleSet | null; readonly findings: readonly Finding[]; readonly rules: number };

/** The options of a compilation. */
export type CompileOptions = {
  /** Findings of earlier stages: YAML, schema, files and hooks. */
  readonly findings: readonly Finding[];
  /** The number of rule files, with broken ones. */
  readonly files: number;
  /** The directory, for the warning that it has no rules. */
  readonly dir: string;
  /** The daemon's time limit for an agent's request, for warnings about hooks with a longer one. */
  readonly agentTimeoutMs?: number;
  /** The time of the load in milliseconds since 1970, for warnings about rules that have expired. */
  readonly nowMs: number;
  /** Whether an agent wrote the documents. Their conditions and patterns together are then limited. */
  readonly agent?: boolean;
  /** Whether only the findings are needed, and no rule set. */
  readonly onlyFindings?: boolean;
  /** The documents of an operator that were checked already. */
  readonly ahead?: CheckedAhead;
};

/** Compiles the documents, which may come in any order. It can be paused between two rules. */
export function* compileRules(documents: readonly RuleDocument[], options: CompileOptions): Interruptible<Compiled> {
  const environment = options.ahead?.environment ?? createRuleEnvironment();
  const findings: Finding[] = [...options.findings, ...duplicateIds(documents)];
  yield;
  const analyzed: AnalyzedRule[] = [];
  const total = documents.reduce((sum, { rules, misshapen }) => sum + rules.length + misshapen.length, 0);
  if (total > RULES_LIMIT) findings.push(tooManyRules(documents, total));
  else {
    const budget = options.agent === true ? ExpansionBudget.ofAgent() : new ExpansionBudget();
    for (const document of documents) {
      const checked = options.ahead?.find(document) ?? (yield* checkFile(document, environment, budget));
      for (const finding of checked.findings) findings.push(finding);
      for (const rule of checked.rules) analyzed.push(rule);
    }
  }
  yield;
  analyzed.sort(compareOrder);
  const warnings = yield* analyze(analyzed, {
    agentTimeoutMs: options.agentTimeoutMs ?? AGENT_TIMEOUT_MS,
    nowMs: options.nowMs,
  });
  for (const finding of warnings) findings.push(finding);
  yield;
  if (options.files === 0) findings.push(emptyDirectory(options.dir));
  findings.sort(compareFindings);
  if (hasErrors(findings) || options.onlyFindings === true) return { set: null, findings, rules: total };
  yield;
  const rules: Rule[] = [];
  for (const each of analyzed) {
    yield;
    rules.push(compileRule(each, environment));
  }
  const set: RuleSet = Object.freeze({
    rules: Object.freeze(rules),
    environment,
    index: yield* buildIndex(analyzed.map(({ checked }) => checked), environment),
    digest: yield* digestOf(analyzed),
    files: options.files,
    warnings: Object.freeze(findings.filter((finding) => finding.severity === "warning")),
  });
  return { set, findings, rules: total };
}

/** Evaluation order: priority, then file name by code unit, then position, which the stable sort keeps (S003-FR-007, FR-032). */
function compareOrder(a: AnalyzedRule, b: AnalyzedRule): number {
  if (a.entry.priority !== b.entry.priority) return a.entry.priority - b.entry.priority;
  return a.file === b.file ? 0 : a.file < b.file ? -1 : 1;
}

function compileRule({ file, entry, checked, normal }: AnalyzedRule, environment: Environment): Rule {
  return Object.freeze({
    id: entry.id,
    file,
    line: entry.place.line,
    action: entry.action,
    condition: entry.condition.text,
    expanded: checked.text.trim(),
    normal,
    log: entry.log,
    description: entry.description,
    priority: entry.priority,
    reason: entry.reason,
    egress: entry.egress,
    expires: entry.expires,
    expiresMs: entry.expires === null ? null : expiryOf(entry.expires),
    enrich: entry.enrich === null
      ? null
      : { script: entry.enrich.script, timeoutMs: entry.enrich.timeoutMs ?? HOOK_TIMEOUT_MS },
    predicate: compile(checked, environment),
  });
}

function duplicateIds(documents: readonly RuleDocument[]): readonly Finding[] {
  const first = new Map<string, MisshapenRule>();
  const findings: Finding[] = [];
  const ordered = documents.toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0));
  for (const entry of ordered.flatMap(({ rules, misshapen }) => [...rules, ...misshapen].sort(comparePosition))) {
    if (entry.id === null) continue;
    const earlier = first.get(entry.id);
    if (earlier === undefined) {
      first.set(entry.id, entry);
      continue;
    }
    const where = `${earlier.place.file}:${earlier.place.line}`;
    findings.push({
      code: "rule.duplicate-id",
      severity: "error",
      message: `rule id ${quote(entry.id)} is already used at ${where}`,
      place: entry.place,
      rule: entry.id,
    });
  }
  return findings;
}

function comparePosition(a: MisshapenRule, b: MisshapenRule): number {
  return comparePlaces(a.place, b.place);
}

function tooManyRules(documents: readonly RuleDocument[], total: number): Finding {
  let counted = 0;
  const over = documents.find((document) => (counted += document.rules.length) > RULES_LIMIT);
  return {
    code: "rule.limit",
    severity: "error",
    message: `${total} rules in all files, at most ${RULES_LIMIT} are allowed`,
    place: over?.place ?? placeAt(documents[0]?.file ?? ""),
  };
}

function emptyDirectory(dir: string): Finding {
  return {
    code: "rule.empty",
    severity: "warning",
    message: `no rule files in ${quote(dir)}: every request is blocked`,
    place: placeAt(dir),
  };
}
