// CelProblem: what is wrong with an expression, and where in its text.
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

/** Makes a problem of an expression; the hint is left out where there is none. */
export function celProblem(code: ProblemCode, message: string, span: Span, hint?: string): CelProblem {
  return hint === undefined ? { code, message, span } : { code, message, span, hint };
}

/** Orders problems by place. */
export function compareProblems(a: CelProblem, b: CelProblem): number {
  return a.span.start - b.span.start || a.span.end - b.span.end;
}
