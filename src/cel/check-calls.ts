// Checks the calls of an expression: each function must exist, and each pattern must be a literal RE2 pattern within the
// limits. The library checks the types of arguments.
import { didYouMean } from "../core/nearest.ts";
import { quote } from "../core/quote.ts";
import { FUNCTIONS } from "./functions.ts";
import { EXPRESSION_INSTRUCTIONS } from "./limits.ts";
import { readConstant } from "./network-functions.ts";
import { compilePattern, costOfRefused, NO_PATTERNS, type Pattern, type Patterns } from "./pattern.ts";
import { type CelProblem, celProblem } from "./cel-problem.ts";
import type { Call, Tree } from "./tree.ts";
import { functionHint } from "./type-slips.ts";
import { visit } from "./walk-tree.ts";

/** The problems of the calls of an expression, and its compiled patterns. */
export type CheckedCalls = { readonly problems: readonly CelProblem[]; readonly patterns: Patterns };

/** The instructions left for the patterns of several expressions, so that compiling all of them takes bounded time. */
export type PatternBudget = { readonly total: number; left: number };

/** Creates a budget; without a number it is unlimited. */
export function createPatternBudget(total = Infinity): PatternBudget {
  return { total, left: total };
}

/** Checks all calls and compiles the patterns that have no problem. */
export function checkCalls(tree: Tree, budget: PatternBudget): CheckedCalls {
  const problems: CelProblem[] = [];
  const patterns = new Map<string, Pattern>();
  let left = EXPRESSION_INSTRUCTIONS;
  visit(tree, (node) => {
    // After the limit is exceeded, the remaining patterns are not compiled.
    if (node.kind !== "call" || left < 0) return;
    const found = budget.left < 0 && node.name === "matches" ? null : checkCall(node);
    if (found !== null && "code" in found) problems.push(found);
    else if (found !== null) patterns.set(found.source, found);
    const cost = found === null || "code" in found ? costOfRefusedIn(node) : found.charge;
    left -= cost;
    budget.left -= cost;
    const limit = left < 0 ? `${EXPRESSION_INSTRUCTIONS} instructions` : `${budget.total} instructions over all rules`;
    if (cost > 0 && (left < 0 || budget.left < 0)) {
      left = -1;
      problems.push(celProblem("rule.limit", `patterns have more than ${limit}`, node.span));
    }
  });
  return { problems, patterns: patterns.size === 0 ? NO_PATTERNS : patterns };
}

// A pattern with an error at its end has been compiled up to that point, which also takes time.
function costOfRefusedIn({ name, args }: Call): number {
  const pattern = name === "matches" ? args.at(-1) : undefined;
  return pattern?.kind === "literal" && typeof pattern.value === "string" ? costOfRefused(pattern.value) : 0;
}

const MACROS: readonly string[] = ["has", "all", "exists", "exists_one", "filter", "map"];

// Returns the problem of a call, or its compiled pattern, or null.
function checkCall(call: Call): CelProblem | Pattern | null {
  const { name, receiver, args, span } = call;
  const known = FUNCTIONS.get(name);
  if (name === "dyn") return celProblem("rule.type", "dyn() is not available in conditions", span);
  if (known === undefined) {
    if (MACROS.includes(name)) {
      const hint = name === "has" ? "write has(http.method), with one field" : `write list.${name}(x, x == "...")`;
      return celProblem("rule.type", `${name}() has too few or too many arguments`, span, hint);
    }
    const hint = functionHint(call) ??
      didYouMean(name, [...FUNCTIONS.keys(), ...MACROS].filter((other) => other !== "dyn"));
    return celProblem("rule.type", `unknown function ${quote(name)}`, span, hint);
  }
  if (known.style === "global" && receiver !== null) {
    return celProblem("rule.type", `${name} is not called on a value`, span, `write ${name}(x)`);
  }
  if (known.style === "method" && receiver === null) {
    return celProblem("rule.type", `${name} is called on a value`, span, `write x.${name}(...)`);
  }
  const pattern = name === "matches" ? args.at(-1) : undefined;
  return pattern === undefined ? checkAddress(call) : checkPattern(pattern);
}

// A literal that is not an address fails for every request, so it is refused when the rule is loaded.
function checkAddress({ name, args }: Call): CelProblem | null {
  const [text] = args;
  if (text?.kind !== "literal" || typeof text.value !== "string") return null;
  const read = readConstant(name, text.value);
  return typeof read === "string" ? celProblem("rule.type", read, text.span) : null;
}

function checkPattern(pattern: Tree): CelProblem | Pattern {
  if (pattern.kind !== "literal" || typeof pattern.value !== "string") {
    return celProblem("rule.regex", "a pattern must be a string literal", pattern.span);
  }
  const compiled = compilePattern(pattern.value);
  return compiled.ok ? compiled.value : celProblem("rule.regex", compiled.error, pattern.span);
}
