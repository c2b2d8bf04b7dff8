// Tests one expression on one context, for `outcall rule test` (S003-IF-005).
import { bind } from "../cel/bind.ts";
import { check } from "../cel/check-expression.ts";
import { compile } from "../cel/compile-expression.ts";
import type { Environment } from "../cel/environment.ts";
import { createMeter, evaluate } from "../cel/evaluate-condition.ts";
import { typeName } from "../cel/value.ts";
import type { Context } from "../core/context.ts";

/** The result of a test. An invalid expression, a failure, and a value that is not a boolean give false and an error. */
export type ExpressionResult = { readonly result: boolean; readonly error: string | null };

/** Tests an expression. It cannot use definitions, because these belong to rule files. */
export function testExpression(environment: Environment, expression: string, context: Context): ExpressionResult {
  const checked = check(expression, environment);
  if (!checked.ok) {
    const [first] = checked.error;
    const at = first === undefined ? "" : ` (column ${first.span.start + 1})`;
    const hint = first?.hint === undefined ? "" : `; ${first.hint}`;
    return { result: false, error: `${first?.message ?? "invalid expression"}${at}${hint}` };
  }
  const outcome = evaluate(compile(checked.value, environment), bind(environment, context, {}), createMeter());
  switch (outcome.kind) {
    case "value":
      if (typeof outcome.value === "boolean") return { result: outcome.value, error: null };
      return { result: false, error: `expression returned a value of type ${typeName(outcome.value)}, not a boolean` };
    case "no-value":
      return { result: false, error: null };
    case "error":
      return { result: false, error: outcome.reason };
  }
}
