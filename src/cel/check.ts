// CEL text -> Checked: parsed, its names and types checked against an environment, its patterns compiled. The library
// reports the one problem that it stops at; our own checks report all of theirs, and where both speak of the same place
// ours is kept, since it knows the nearest name.
import { err, ok, type Result } from "../core/result.ts";
import { checkCalls } from "./check-calls.ts";
import { checkNames } from "./check-names.ts";
import type { Environment } from "./environment.ts";
import { checkWithLibrary } from "./library.ts";
import { EXPANDED_BYTES, EXPANDED_NESTING } from "./limits.ts";
import { parseSource } from "./parse.ts";
import { type CelProblem, compareProblems } from "./problem.ts";
import type { Tree } from "./tree.ts";

/** An expression that is right as far as can be known before it is evaluated. */
export type Checked = {
  readonly text: string;
  readonly tree: Tree;
  /** The name of its CEL type: "bool", "dyn", "string", ... */
  readonly type: string;
  readonly nodes: number;
};

/**
 * Checks a condition with its definitions put in (or one that has none). The limits are those of expanded text, whose
 * brackets may nest twice as deep for the parentheses around definitions; `parse` has those of text as written.
 */
export function check(text: string, environment: Environment): Result<Checked, readonly CelProblem[]> {
  const source = { text, maxBytes: EXPANDED_BYTES, maxBrackets: EXPANDED_NESTING, references: false };
  const parsed = parseSource(environment.library, source);
  if (!parsed.ok) return err([parsed.error]);
  const { tree, nodes, library } = parsed.value;
  const own = [...checkNames(tree, environment), ...checkCalls(tree)];
  const checked = checkWithLibrary(library, text);
  const problems = checked.ok || own.some((problem) => touches(problem, checked.error)) ? own : [...own, checked.error];
  if (checked.ok && problems.length === 0) return ok({ text, tree, type: checked.value, nodes });
  return err(problems.toSorted(compareProblems));
}

function touches(a: CelProblem, b: CelProblem): boolean {
  return a.span.start < b.span.end && b.span.start < a.span.end;
}
