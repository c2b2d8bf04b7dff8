// Shared by the tests of expressions: the environment of rules, and functions from text and context to outcome.
import { bind } from "../../../src/cel/bind.ts";
import { check } from "../../../src/cel/check-expression.ts";
import { compile } from "../../../src/cel/compile-expression.ts";
import { createEnvironment } from "../../../src/cel/environment.ts";
import { createMeter, evaluate } from "../../../src/cel/evaluate-condition.ts";
import { type Context, NAMESPACES, VARIABLES } from "../../../src/core/context.ts";
import type { JsonObject } from "../../../src/core/json.ts";

/** The environment of rules. */
export const RULES = createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });

/**
 * The outcome of a condition that must pass the type check: true, false, "no-value", "error: reason", or another value.
 */
export function outcomeOf(text: string, context: Context = {}, enriched: JsonObject | "failed" = {}): unknown {
  const checked = check(text, RULES);
  if (!checked.ok) {
    throw new Error(`${text}: ${checked.error.map(({ code, message }) => `${code} ${message}`).join("; ")}`);
  }
  const outcome = evaluate(compile(checked.value, RULES), bind(RULES, context, enriched), createMeter());
  switch (outcome.kind) {
    case "value":
      return outcome.value;
    case "no-value":
      return "no-value";
    case "error":
      return `error: ${outcome.reason}`;
  }
}

/** The error codes of a text, or "ok: type". */
export function codesOf(text: string): string {
  const checked = check(text, RULES);
  return checked.ok ? `ok: ${checked.value.type}` : checked.error.map(({ code }) => code).join(", ");
}
