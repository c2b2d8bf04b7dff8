// Submission -> the requested rules as syntax trees, or why it is refused (422). A submission is analysed alone, as a file
// named `request`. The rules in force and the file system are never consulted, so an agent learns nothing about them.
import type { Environment } from "../cel/environment.ts";
import type { Tree } from "../cel/tree.ts";
import { compareFindings, type Finding } from "../core/finding.ts";
import { finish } from "../core/interruptible.ts";
import { invariant } from "../core/invariant.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { AGENT_TIMEOUT_MS, analyze } from "../rule/lint-rules.ts";
import type { AnalyzedRule } from "../rule/linted-rule.ts";
import { checkFile } from "../rule/check-file.ts";
import type { RuleDocument, RuleEntry } from "../rule/document.ts";
import { ExpansionBudget } from "../rule/expansion-budget.ts";
import { AGENT_LIMITS, type ParseLimits, parseRuleFile } from "../rule/parse-rule-file.ts";
import type { Submission } from "../wire/stored-request.ts";
import { ruleFileText } from "./rule-file-text.ts";
import { textsOf } from "./submission.ts";
import { SUBMISSION_LIMIT_BYTES, SUBMISSION_LIMIT_RULES } from "./submission-limits.ts";

/** The name under which a submission is analysed, and the id of a rule that was submitted without one. */
const REQUEST = "request";

/** A submitted file has no anchors: operators must see each value where it is used. */
const SUBMITTED: ParseLimits = { ...AGENT_LIMITS, sizeBytes: SUBMISSION_LIMIT_BYTES, anchors: 0 };

/** A file made from the members of a submission. An escape takes up to four bytes for one. */
const MADE: ParseLimits = { ...SUBMITTED, sizeBytes: 4 * SUBMISSION_LIMIT_BYTES + 1_024 };

/** A requested rule. */
export type RequestedRule = {
  /** Null if the submission gave none. */
  readonly id: string | null;
  readonly action: "allow" | "block";
  /** The condition as submitted. */
  readonly written: string;
  /** The condition with its definitions expanded. */
  readonly tree: Tree;
  readonly priority: number;
  readonly log: boolean;
  readonly description: string | null;
  /** The time from which on an allow is not to be in force, as submitted. */
  readonly expires: string | null;
};

/** The requested rules and their text. */
export type Analyzed = {
  /** Empty if the agent suggested no condition. */
  readonly rules: readonly RequestedRule[];
  /** The rule file, as submitted or as made from the submitted members. */
  readonly ruleFile: string | null;
  readonly warnings: readonly string[];
};

/** Analyses a submission. */
export function analyzeSubmission(submission: Submission, environment: Environment): Result<Analyzed, Problem> {
  const texts = textsOf(submission);
  if (!texts.every((text) => text.isWellFormed())) return err(refused("text is not well-formed Unicode"));
  const sizeBytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  if (sizeBytes > SUBMISSION_LIMIT_BYTES) return err(refused(`over ${SUBMISSION_LIMIT_BYTES} bytes of text`));
  switch (submission.form) {
    case "file":
      return analyzeFile(submission.ruleFile, SUBMITTED, environment);
    case "rule":
      return analyzeMembers(submission, submission, environment);
    case "access": {
      const { description, suggestedCondition: condition } = submission;
      if (condition === null) return ok({ rules: [], ruleFile: null, warnings: [] });
      return analyzeMembers({ description, condition, action: "allow" }, submission, environment);
    }
  }
}

type Members = { readonly description: string; readonly condition: string; readonly action: string };

function analyzeMembers(
  { description, condition, action }: Members,
  submission: Submission,
  environment: Environment,
): Result<Analyzed, Problem> {
  const text = ruleFileText([{ id: REQUEST, condition, action, description }]);
  const analyzed = analyzeFile(text, MADE, environment, submission.form);
  if (!analyzed.ok) return analyzed;
  return ok({ ...analyzed.value, rules: analyzed.value.rules.map((rule) => ({ ...rule, id: null })) });
}

function analyzeFile(
  text: string,
  limits: ParseLimits,
  environment: Environment,
  form: Submission["form"] = "file",
): Result<Analyzed, Problem> {
  const { document, findings } = parseRuleFile(REQUEST, text, limits);
  const found: Finding[] = [...findings];
  let rules: readonly AnalyzedRule[] = [];
  if (document !== null) {
    // Refused before anything is compiled, because compiling is what costs.
    const unacceptable = whyUnacceptable(document);
    if (unacceptable !== null) return err(unacceptable);
    const checked = finish(checkFile(document, environment, ExpansionBudget.ofAgent()));
    rules = checked.rules;
    found.push(
      ...checked.findings,
      ...duplicateIds(document.rules),
      ...finish(analyze(rules, { agentTimeoutMs: AGENT_TIMEOUT_MS, nowMs: -Infinity })),
    );
  }
  found.sort(compareFindings);
  // A condition that is not boolean would load, but cannot be joined to a scope by `&&`.
  const wrong = found.find(({ severity, code }) => severity === "error" || code === "rule.not-boolean");
  if (wrong !== undefined) return err(problemOf(wrong, form));
  if (rules.length === 0) return err(refused("the rule file has no rules"));
  const requested = rules.map(({ entry, checked }) => requestedRule(entry, checked.tree));
  const warnings = found.filter(({ code }) => code !== "rule.priority-range").map(({ message }) => message);
  return ok({ rules: requested, ruleFile: text, warnings });
}

// Too many rules, or a member that only operators may use: hooks, reasons shown to agents, and egress.
function whyUnacceptable({ rules, misshapen }: RuleDocument): Problem | null {
  const count = rules.length + misshapen.length;
  if (count > SUBMISSION_LIMIT_RULES) return refused(`${count} rules, at most ${SUBMISSION_LIMIT_RULES} are allowed`);
  for (const { id, action, egress, reason } of rules) {
    if (action === "enrich") return refusedMember(id, "enrich");
    if (egress !== null) return refusedMember(id, "egress");
    if (reason !== null) return refusedMember(id, "reason");
  }
  return null;
}

function requestedRule(entry: RuleEntry, tree: Tree): RequestedRule {
  const { id, action, priority, log, description, expires } = entry;
  invariant(action !== "enrich", "documents with hooks have been refused");
  return { id, action, written: entry.condition.text, tree, priority, log, description, expires };
}

function duplicateIds(rules: readonly RuleEntry[]): readonly Finding[] {
  const seen = new Set<string>();
  return rules.flatMap(({ id, place }): readonly Finding[] => {
    const message = `rule id ${quote(id)} is used twice`;
    if (seen.has(id)) return [{ code: "rule.duplicate-id", severity: "error", message, place }];
    seen.add(id);
    return [];
  });
}

// A line and column help only if the agent wrote the file itself.
function problemOf({ code, message, hint, place }: Finding, form: Submission["form"]): Problem {
  const where = form === "file" ? `${REQUEST}:${place.line}:${place.column}: ` : "";
  return problem(code, `${where}${message}${hint === undefined ? "" : ` (${hint})`}`);
}

function refused(message: string): Problem {
  return problem("request.unacceptable", `rule request: ${message}`);
}

function refusedMember(id: string, member: string): Problem {
  return refused(`rule ${quote(id)}: ${quote(member)} is for the operator's own rules`);
}
