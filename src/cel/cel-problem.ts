// A problem of an expression, with its place in the text.
import type { ProblemCode } from "../core/problem.ts";
import type { Span } from "../core/span.ts";

/**
 * A problem of an expression: rule.cel-syntax, rule.unknown-field, rule.type, rule.regex or rule.limit, at a span in
 * UTF-16 offsets of the text given.
 */
export type CelProblem = {
  readonly code: ProblemCode;
  readonly message: string;
  readonly span: Span;
  readonly hint?: string;
};

/** Creates a problem; `hint` may be left out. */
export function celProblem(code: ProblemCode, message: string, span: Span, hint?: string): CelProblem {
  return hint === undefined ? { code, message, span } : { code, message, span, hint };
}

/** Orders problems by place. */
export function compareProblems(a: CelProblem, b: CelProblem): number {
  return a.span.start - b.span.start || a.span.end - b.span.end;
}
