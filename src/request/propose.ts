// Requested rules and the operator's overrides -> the file that an approval writes. Its text is printed from syntax trees,
// never copied from the submission; then it is parsed again and must give the same trees.
import { check } from "../cel/check-expression.ts";
import type { Environment } from "../cel/environment.ts";
import { formatTree } from "../cel/format-tree.ts";
import { parse } from "../cel/parse-expression.ts";
import { sameTree } from "../cel/same-tree.ts";
import type { Tree } from "../cel/tree.ts";
import { finish } from "../core/interruptible.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { APPROVED_PRIORITY, approvedFileName } from "../rule/lint-rules.ts";
import { checkFile } from "../rule/check-file.ts";
import { ExpansionBudget } from "../rule/expansion-budget.ts";
import { OPERATOR_LIMITS, parseRuleFile } from "../rule/parse-rule-file.ts";
import type { Overrides, RequestSource } from "./analysis-jobs.ts";
import type { RequestedRule } from "./analyze-submission.ts";
import { noteOf } from "./approved-file.ts";
import { ruleFileText } from "./rule-file-text.ts";
import { narrow, scopeOf } from "./scope.ts";

/** One rule as an approval would write it. */
export type ProposedRule = {
  readonly id: string;
  readonly action: "allow" | "block";
  readonly tree: Tree;
  /** The canonical text of the tree. */
  readonly condition: string;
  readonly priority: number;
  readonly log: boolean;
  readonly description: string | null;
  readonly expires: string | null;
};

/** The file that an approval writes, and its rules. */
export type Proposal = {
  readonly file: string;
  readonly text: string;
  /** The canonical text of the condition that limits the rules to the requester; null if they apply to all containers. */
  readonly scope: string | null;
  readonly rules: readonly ProposedRule[];
};

/** The input of a proposal. */
export type ProposeDeps = {
  readonly request: RequestSource;
  readonly rules: readonly RequestedRule[];
  readonly overrides: Overrides;
  readonly environment: Environment;
};

/** A bare file name without characters that are special in a shell or a path. */
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}\.yaml$/;

/** Makes the proposal and parses it as the loader would, or says why there can be none (422). */
export function propose(proposing: ProposeDeps): Result<Proposal, Problem> {
  const proposal = draft(proposing);
  if (!proposal.ok) return proposal;
  const faulty = readBack(proposal.value, proposing.environment);
  return faulty === null ? proposal : err(faulty);
}

/**
 * The reason why the requested rules could never be written unchanged, or null. They may exceed a limit once their definitions
 * are expanded and the scope is added. The analysis has checked types and patterns, so only the syntax is parsed again.
 */
export function whyUnwritable(proposing: ProposeDeps): Problem | null {
  const proposal = draft(proposing);
  if (!proposal.ok) return proposal.error;
  for (const { id, condition, tree } of proposal.value.rules) {
    const read = parse(condition);
    if (!read.ok) {
      return problem(read.error.code, `in the file of the approval: rule ${quote(id)}: ${read.error.message}`);
    }
    if (!sameTree(read.value.tree, tree)) return unfaithful();
  }
  return null;
}

function draft({ request, rules, overrides, environment }: ProposeDeps): Result<Proposal, Problem> {
  const wanted = override(rules, request, overrides, environment);
  if (!wanted.ok) return wanted;
  const file = overrides.file_name ?? approvedFileName(request.id);
  if (!FILE_NAME.test(file)) return err(refused(`file name ${quote(file)} is not a bare name that ends in .yaml`));
  const scope = overrides.global === true ? ok(null) : scopeOf(request.requester);
  if (!scope.ok) return scope;
  const proposed = wanted.value.map((rule, index): ProposedRule => {
    const tree = scope.value === null ? rule.tree : narrow(scope.value, rule.tree);
    return {
      id: overrides.rule_id ?? rule.id ?? defaultRuleId(request.id, index),
      action: rule.action,
      tree,
      condition: formatTree(tree),
      priority: overrides.priority ?? Math.max(APPROVED_PRIORITY, rule.priority),
      log: rule.log,
      description: rule.description,
      expires: rule.expires,
    };
  });
  const text = noteOf(request.id) + ruleFileText(proposed);
  return ok({ file, text, scope: scope.value === null ? null : formatTree(scope.value), rules: proposed });
}

/** The id of a rule whose submission gave none. */
function defaultRuleId(requestId: string, index = 0): string {
  return index === 0 ? `agent-${requestId}` : `agent-${requestId}-${index + 1}`;
}

function override(
  rules: readonly RequestedRule[],
  { submission }: ProposeDeps["request"],
  { rule_id: ruleId, condition }: Overrides,
  environment: Environment,
): Result<readonly RequestedRule[], Problem> {
  if (rules.length > 1 && (ruleId !== undefined || condition !== undefined)) {
    return err(refused(`it has ${rules.length} rules, so an id or a condition cannot be set`));
  }
  if (condition === undefined) {
    return rules.length > 0 ? ok(rules) : err(refused("it has no condition; give one with the approval"));
  }
  const checked = check(condition, environment);
  if (!checked.ok) {
    const [first] = checked.error;
    const hint = first?.hint === undefined ? "" : ` (${first.hint})`;
    return err(problem(first?.code ?? "rule.cel-syntax", `condition: ${first?.message ?? "cannot be read"}${hint}`));
  }
  const description = submission.form === "file" ? null : submission.description;
  const [
    asked = { id: null, action: "allow", priority: APPROVED_PRIORITY, log: false, description, expires: null } as const,
  ] = rules;
  return ok([{ ...asked, written: condition, tree: checked.value.tree }]);
}

// Null if the text means exactly what was proposed.
function readBack({ file, text, rules }: Proposal, environment: Environment): Problem | null {
  const { document, findings } = parseRuleFile(file, text, OPERATOR_LIMITS);
  const checked = document === null ? null : finish(checkFile(document, environment, new ExpansionBudget()));
  const wrong = [...findings, ...(checked?.findings ?? [])].find(({ severity }) => severity === "error");
  if (wrong !== undefined) return problem(wrong.code, `in the file of the approval: ${wrong.message}`);
  const read = checked?.rules ?? [];
  const isSame = document !== null && document.definitions.length === 0 && document.rules.length === rules.length &&
    read.length === rules.length && read.every((each, index) => means(each.entry, each.checked.tree, rules[index]));
  return isSame ? null : unfaithful();
}

function unfaithful(): Problem {
  return refused("it cannot be written to a file without a change of meaning");
}

type Read = Pick<ProposedRule, "id" | "priority" | "log" | "description" | "expires"> & {
  readonly action: string;
  readonly reason: string | null;
};

function means(read: Read, tree: Tree, wanted: ProposedRule | undefined): boolean {
  return wanted !== undefined && read.id === wanted.id && read.action === wanted.action &&
    read.priority === wanted.priority && read.log === wanted.log && read.description === wanted.description &&
    read.expires === wanted.expires && read.reason === null && sameTree(tree, wanted.tree);
}

function refused(message: string): Problem {
  return problem("request.unacceptable", `rule request: ${message}`);
}
