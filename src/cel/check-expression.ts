// CEL text -> Checked: parses an expression, checks its names and types against an environment, and compiles its patterns.
// The library reports only the first problem that it finds; our own checks report all of theirs. If both report the same
// place, our problem is kept, because it suggests the nearest name.
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

/** An expression that has passed all static checks. */
export type Checked = {
  readonly text: string;
  readonly tree: Tree;
  /** The name of its CEL type: "bool", "dyn", "string", ... */
  readonly type: string;
  readonly nodes: number;
  /** The compiled patterns of the expression. */
  readonly patterns: Patterns;
};

/**
 * Checks a condition after its definitions were inserted. The limits are those of expanded text: brackets may nest twice
 * as deep as in written text, because every inserted definition has parentheses around it.
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

/** Checks an expression that the environment's library has parsed. Call it once for each parse; the text has no references. */
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
