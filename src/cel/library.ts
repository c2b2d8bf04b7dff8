// The only file that imports @marcbachmann/cel-js, for its parser and its static checker; its evaluator is not used. The
// library throws on hostile text (its own errors, and RangeError where it recurses), so both calls are caught here and
// nowhere else. library-check.ts keeps the checker from exponential types and deep recursion.
import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Span } from "../core/span.ts";
import { EXPANDED_NESTING, LIST_ELEMENTS, NESTING, NODES } from "./limits.ts";
import { type CelProblem, celProblem } from "./cel-problem.ts";
import { NETWORK_SIGNATURES, NETWORK_TYPES } from "./network-functions.ts";

export type { ASTNode };

/** The library's environment: its names, types and functions. */
export type Library = Environment;

/** The library's parse of a text. */
export type LibraryParse = { readonly root: ASTNode; readonly check: () => unknown };

/** Names and types for the library: fields by namespace, and variables, each with its CEL type. */
export type LibraryDeclarations = {
  readonly namespaces: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly variables: Readonly<Record<string, string>>;
};

/** Creates the library's environment, and adds the standard functions that the library lacks. */
export function createLibrary(declarations: LibraryDeclarations): Library {
  const library = new Environment({
    // The library counts brackets, selections and conditionals together; convert.ts and nesting.ts enforce the exact limits.
    limits: {
      maxAstNodes: 2 * NODES,
      maxDepth: EXPANDED_NESTING + 2 * NESTING,
      maxListElements: LIST_ELEMENTS,
      maxMapEntries: LIST_ELEMENTS,
    },
  });
  // Classes of their own: the library tells types apart by their constructors.
  for (const type of NETWORK_TYPES) library.registerType(type, { ctor: class {}, fields: {} });
  for (const signature of [...MISSING_FUNCTIONS, ...NETWORK_SIGNATURES]) {
    library.registerFunction(signature, notEvaluated, { async: false });
  }
  for (const operator of ["<", "<=", ">", ">="]) {
    library.registerOperator(`bytes ${operator} bytes: bool`, notEvaluated);
  }
  // The library derives `!=` from `==`.
  for (const type of NETWORK_TYPES) library.registerOperator(`${type} == ${type}: bool`, notEvaluated);
  for (const [name, fields] of Object.entries(declarations.namespaces)) {
    // Each namespace gets its own class, because the library distinguishes types by their constructors.
    library.registerType(`namespace.${name}`, { ctor: class {}, fields: { ...fields } });
    library.registerVariable(name, `namespace.${name}`);
  }
  for (const [name, type] of Object.entries(declarations.variables)) library.registerVariable(name, type);
  return library;
}

/** Parses a text; an exception of the library becomes a problem. */
export function parseWithLibrary(library: Library, text: string): Result<LibraryParse, CelProblem> {
  try {
    const parsed = library.parse(text);
    return ok({ root: parsed.ast, check: () => parsed.check() });
  } catch (error) {
    return err(problemOf(error, text, "parse"));
  }
}

/** Checks a parsed text: the type of the expression, or the first problem. Call it once for each parse. */
export function checkWithLibrary(parsed: LibraryParse, text: string): Result<string, CelProblem> {
  try {
    const result = parsed.check();
    if (typeof result === "object" && result !== null && "type" in result && typeof result.type === "string") {
      return ok(TYPE_PARAMETER.has(result.type) ? "dyn" : result.type);
    }
    const error = typeof result === "object" && result !== null && "error" in result ? result.error : result;
    return err(problemOf(error, text, "check"));
  } catch (error) {
    return err(problemOf(error, text, "check"));
  }
}

// The checker's name for the unknown element type of an empty list.
const TYPE_PARAMETER: ReadonlySet<string> = new Set(["A", "K", "T", "V"]);

const TIMESTAMP = "google.protobuf.Timestamp";
const DURATION = "google.protobuf.Duration";

const MISSING_FUNCTIONS: readonly string[] = [
  "matches(string, string): bool",
  "string.charAt(int): string",
  "int(uint): int",
  `int(${TIMESTAMP}): int`,
  `string(${TIMESTAMP}): string`,
  `string(${DURATION}): string`,
  `timestamp(${TIMESTAMP}): ${TIMESTAMP}`,
  `duration(${DURATION}): ${DURATION}`,
];

function notEvaluated(): never {
  throw new Error("invariant broken: the library's evaluator is not used");
}

const LIMIT_CODE = "limit_exceeded";
const UNKNOWN_CODES: ReadonlySet<string> = new Set(["unknown_variable", "no_such_key"]);

function problemOf(error: unknown, text: string, phase: "parse" | "check"): CelProblem {
  const whole: Span = { start: 0, end: text.length };
  if (error instanceof RangeError) return celProblem("rule.limit", "expression is nested too deeply", whole);
  const { code, summary, range } = partsOf(error);
  const span = range === undefined ? whole : { start: range.start, end: Math.max(range.start, range.end) };
  const message = messageOf(code, summary);
  if (code === LIMIT_CODE) return celProblem("rule.limit", message, span);
  if (phase === "parse") return celProblem("rule.cel-syntax", message, span);
  return celProblem(UNKNOWN_CODES.has(code) ? "rule.unknown-field" : "rule.type", message, span);
}

type Parts = { readonly code: string; readonly summary: string; readonly range: Span | undefined };

function partsOf(error: unknown): Parts {
  if (!(error instanceof Error)) return { code: "", summary: "", range: undefined };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const summary = "summary" in error && typeof error.summary === "string" ? error.summary : error.message;
  return { code, summary, range: "range" in error ? rangeOf(error.range) : undefined };
}

function rangeOf(range: unknown): Span | undefined {
  if (typeof range !== "object" || range === null || !("start" in range) || !("end" in range)) return undefined;
  const { start, end } = range;
  return typeof start === "number" && typeof end === "number" ? { start, end } : undefined;
}

const LIMIT_MESSAGES: readonly (readonly [key: string, message: string])[] = [
  ["maxAstNodes", `expression has more than ${NODES} nodes`],
  ["maxDepth", `expression is nested deeper than ${NESTING} levels`],
  ["maxListElements", `list has more than ${LIST_ELEMENTS} elements`],
  ["maxMapEntries", `map has more than ${LIST_ELEMENTS} entries`],
  ["maxCallArguments", "call has too many arguments"],
];

function messageOf(code: string, summary: string): string {
  if (code === "") return "expression cannot be checked";
  if (code === "unexpected_token" && summary.endsWith(": EOF")) return "unexpected end of expression";
  const limit = code === LIMIT_CODE ? LIMIT_MESSAGES.find(([key]) => summary.includes(key)) : undefined;
  if (limit !== undefined) return limit[1];
  const line = escapeText(summary);
  return line.charAt(0).toLowerCase() + line.slice(1);
}
