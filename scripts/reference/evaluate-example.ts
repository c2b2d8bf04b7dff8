// Evaluates the example expressions of the reference with the product's own checker and evaluator.
import { bind } from "../../src/cel/bind.ts";
import { check } from "../../src/cel/check-expression.ts";
import { compile } from "../../src/cel/compile-expression.ts";
import { createEnvironment } from "../../src/cel/environment.ts";
import { createMeter, evaluate } from "../../src/cel/evaluate-condition.ts";
import { formatDuration, formatTimestamp } from "../../src/cel/time.ts";
import { Duration, isList, MapValue, Timestamp, TypeValue, Uint, type Value } from "../../src/cel/value.ts";
import { type Context, NAMESPACES, VARIABLES } from "../../src/core/context.ts";
import { fail } from "../failure.ts";
import { code } from "./markdown.ts";

/** The names that conditions may use. */
export const RULE_ENVIRONMENT = createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });

/** The type of an expression according to the checker, or undefined if the checker refuses the expression. */
export function typeOf(expression: string): string | undefined {
  const checked = check(expression, RULE_ENVIRONMENT);
  return checked.ok ? plainType(checked.value.type) : undefined;
}

/** The name of a type, spelled like the function that creates its values. */
export function plainType(type: string): string {
  return type.replaceAll("google.protobuf.Timestamp", "timestamp").replaceAll("google.protobuf.Duration", "duration")
    .replaceAll("net.IP", "ip").replaceAll("net.CIDR", "cidr");
}

/** The result of an expression, as Markdown. It is a failure if the expression does not load. */
export function resultOf(expression: string, context: Context = {}): string {
  const checked = check(expression, RULE_ENVIRONMENT);
  if (!checked.ok) return fail(`example ${expression}: ${checked.error[0]?.message}`);
  const activation = bind(RULE_ENVIRONMENT, context, {});
  const outcome = evaluate(compile(checked.value, RULE_ENVIRONMENT), activation, createMeter());
  switch (outcome.kind) {
    case "value":
      return code(formatValue(outcome.value));
    case "no-value":
      return "no value";
    case "error":
      return `fails: ${outcome.reason}`;
  }
}

/** The checker's first error for an expression. It is a failure if there is none. */
export function refusalOf(expression: string): { readonly code: string; readonly message: string } {
  const checked = check(expression, RULE_ENVIRONMENT);
  const [first] = checked.ok ? [] : checked.error;
  return first ?? fail(`example ${expression} loads`);
}

// A value as a CEL literal.
function formatValue(value: Value): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Number.isInteger(value) ? value.toFixed(1) : String(value);
  if (typeof value !== "object" || value === null) return String(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b"${[...value].map(formatByte).join("")}"`;
  if (value instanceof Timestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof Duration) return `duration("${formatDuration(value)}")`;
  if (value instanceof TypeValue) return value.name;
  if (value instanceof MapValue) {
    return `{${value.keys().map((key) => `${formatValue(key)}: ${formatValue(value.get(key) ?? null)}`).join(", ")}}`;
  }
  return isList(value) ? `[${value.map(formatValue).join(", ")}]` : fail("a value of no known type");
}

function formatByte(byte: number): string {
  const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
  return isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
}
