// Every call of an expression: functions that conditions have, and patterns that are literal RE2 of bounded size. What
// types a function takes is the library's to check.
import { didYouMean } from "../core/nearest.ts";
import { quote } from "../core/quote.ts";
import { FUNCTIONS } from "./functions.ts";
import { compilePattern } from "./pattern.ts";
import { type CelProblem, celProblem } from "./problem.ts";
import type { Call, Tree } from "./tree.ts";
import { visit } from "./walk.ts";

/** All problems of calls. */
export function checkCalls(tree: Tree): readonly CelProblem[] {
  const problems: CelProblem[] = [];
  visit(tree, (node) => {
    const found = node.kind === "call" ? checkCall(node) : undefined;
    if (found !== undefined) problems.push(found);
  });
  return problems;
}

const MACROS: readonly string[] = ["has", "all", "exists", "exists_one", "filter", "map"];

function checkCall(call: Call): CelProblem | undefined {
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
  return name === "matches" ? checkPattern(args.at(-1)) : undefined;
}

function checkPattern(pattern: Tree | undefined): CelProblem | undefined {
  if (pattern === undefined) return undefined;
  if (pattern.kind !== "literal" || typeof pattern.value !== "string") {
    return celProblem("rule.regex", "a pattern must be a string literal", pattern.span);
  }
  const compiled = compilePattern(pattern.value);
  return compiled.ok ? undefined : celProblem("rule.regex", compiled.error, pattern.span);
}
