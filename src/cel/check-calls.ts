// Every call of an expression: functions that conditions have, and patterns that are literal RE2 of bounded size. What
// types a function takes is the library's to check.
import { didYouMean } from "../core/nearest.ts";
import { quote } from "../core/quote.ts";
import { FUNCTIONS } from "./functions.ts";
import { EXPRESSION_INSTRUCTIONS } from "./limits.ts";
import { readConstant } from "./network-functions.ts";
import { compilePattern, NO_PATTERNS, type Pattern, type Patterns } from "./pattern.ts";
import { type CelProblem, celProblem } from "./cel-problem.ts";
import type { Call, Tree } from "./tree.ts";
import { visit } from "./walk-tree.ts";

/** What there is to say about the calls of an expression. */
export type CheckedCalls = { readonly problems: readonly CelProblem[]; readonly patterns: Patterns };

/** All problems of calls, and the patterns that are without one. */
export function checkCalls(tree: Tree): CheckedCalls {
  const problems: CelProblem[] = [];
  const patterns = new Map<string, Pattern>();
  let instructions = 0;
  visit(tree, (node) => {
    // Once the patterns are too many, the others are not compiled to say so again.
    if (node.kind !== "call" || instructions > EXPRESSION_INSTRUCTIONS) return;
    const found = checkCall(node);
    if (found === null) return;
    if ("code" in found) return void problems.push(found);
    patterns.set(found.source, found);
    instructions += found.instructions;
    if (instructions > EXPRESSION_INSTRUCTIONS) {
      const message = `patterns have more than ${EXPRESSION_INSTRUCTIONS} instructions in all`;
      problems.push(celProblem("rule.limit", message, node.span));
    }
  });
  return { problems, patterns: patterns.size === 0 ? NO_PATTERNS : patterns };
}

const MACROS: readonly string[] = ["has", "all", "exists", "exists_one", "filter", "map"];

// The problem of a call, or its pattern if it has one.
function checkCall(call: Call): CelProblem | Pattern | null {
  const { name, receiver, args, span } = call;
  const known = FUNCTIONS.get(name);
  if (name === "dyn") return celProblem("rule.type", "dyn() is not available in conditions", span);
  if (known === undefined) {
    if (MACROS.includes(name)) return celProblem("rule.type", `${name}() has too few or too many arguments`, span);
    const hint = didYouMean(name, [...FUNCTIONS.keys(), ...MACROS].filter((other) => other !== "dyn"));
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

// A literal that is no address fails for every request, so it is refused when the rule is loaded.
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
