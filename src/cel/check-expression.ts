// CEL text -> Checked: parsed, its names and types checked against an environment, its patterns compiled. The library
// reports the one problem that it stops at; our own checks report all of theirs, and where both speak of the same place
// ours is kept, since it knows the nearest name.
import { err, ok, type Result } from "../core/result.ts";
import { checkCalls, createPatternBudget, type PatternBudget } from "./check-calls.ts";
import { checkNames } from "./check-names.ts";
import type { Environment } from "./environment.ts";
import { checkWithLibrary } from "./library.ts";
import { EXPANDED_BYTES, EXPANDED_NESTING } from "./limits.ts";
import { type ParsedSource, parseSource } from "./parse-expression.ts";
import type { Patterns } from "./pattern.ts";
import { type CelProblem, compareProblems } from "./cel-problem.ts";
import type { Tree } from "./tree.ts";
import { explainNames, explainType } from "./type-slips.ts";

/** An expression that is right as far as can be known before it is evaluated. */
export type Checked = {
  readonly text: string;
  readonly tree: Tree;
  /** The name of its CEL type: "bool", "dyn", "string", ... */
  readonly type: string;
  readonly nodes: number;
  /** The patterns in it, compiled. */
  readonly patterns: Patterns;
};

/**
 * Checks a condition with its definitions put in (or one that has none). The limits are those of expanded text, whose
 * brackets may nest twice as deep for the parentheses around definitions; `parse` has those of text as written.
 */
export function check(
  text: string,
  environment: Environment,
  budget: PatternBudget = createPatternBudget(),
): Result<Checked, readonly CelProblem[]> {
  const source = { text, maxBytes: EXPANDED_BYTES, maxBrackets: EXPANDED_NESTING, references: false };
  const parsed = parseSource(environment.library, source);
  return parsed.ok ? checkParsed(text, parsed.value, environment, budget) : err([parsed.error]);
}

/** Checks what the environment's library has parsed of a text without references, once. */
export function checkParsed(
  text: string,
  { tree, nodes, library }: ParsedSource,
  environment: Environment,
  budget: PatternBudget,
): Result<Checked, readonly CelProblem[]> {
  const calls = checkCalls(tree, budget);
  const own = [...explainNames(tree, checkNames(tree, environment)), ...calls.problems];
  const checked = checkWithLibrary(library, text);
  const problems = checked.ok || own.some((problem) => touches(problem, checked.error))
    ? own
    : [...own, explainType(tree, checked.error)];
  if (checked.ok && problems.length === 0) {
    return ok({ text, tree, type: checked.value, nodes, patterns: calls.patterns });
  }
  return err(problems.toSorted(compareProblems));
}

function touches(a: CelProblem, b: CelProblem): boolean {
  return a.span.start < b.span.end && b.span.start < a.span.end;
}
