// Compiles the functions of a string that usually take a literal: `matches`, whose pattern must be one, `startsWith` and
// `endsWith`.
import { ok } from "../core/result.ts";
import { charge, OVER_STEPS } from "./arithmetic.ts";
import { PATTERN_TEXT_BYTES, STEP_CHARACTERS } from "./limits.ts";
import { compilePattern, isTooLong, type Pattern, type Patterns } from "./pattern.ts";
import { failingStep, type Run, type Step } from "./steps.ts";
import { Abnormal, fail, type Term, typeName } from "./value.ts";

/** The string, the argument that may be a literal, and the compiled patterns of the expression. */
export type WithLiteral = { readonly text: Step; readonly literal: Step; readonly patterns: Patterns };

/** Compiles a function of a string and a literal; undefined if the function has no special form for a literal. */
export function compileWithLiteral(name: string, operands: WithLiteral): Step | undefined {
  const { text, literal } = operands;
  const { constant } = literal;
  if (name === "matches") return compileMatches(operands);
  if (typeof constant !== "string") return undefined;
  const cost = 1 + text.cost + literal.cost + Math.floor(constant.length / STEP_CHARACTERS);
  switch (name) {
    case "startsWith":
      return { cost, run: onText(text.run, (value) => value.startsWith(constant)) };
    case "endsWith":
      return { cost, run: onText(text.run, (value) => value.endsWith(constant)) };
    default:
      return undefined;
  }
}

function compileMatches({ text, literal, patterns }: WithLiteral): Step {
  if (typeof literal.constant !== "string") return failingStep("pattern is not a literal");
  const known = patterns.get(literal.constant);
  const compiled = known === undefined ? compilePattern(literal.constant) : ok(known);
  if (!compiled.ok) return failingStep(compiled.error);
  const pattern = compiled.value;
  const { run } = text;
  return {
    cost: 1 + text.cost + literal.cost,
    run: (activation) => {
      const term = run(activation);
      if (typeof term !== "string") return notText(term);
      if (term.length > PATTERN_TEXT_BYTES) return TOO_LONG;
      if (!charge(activation, pattern.cost(term))) return OVER_STEPS;
      return isTooLong(term) ? TOO_LONG : tryPattern(pattern, term);
    },
  };
}

// Comparing the literal beginning of the pattern rules out most texts without running the pattern.
function tryPattern({ prefix, test }: Pattern, text: string): Term {
  return text.startsWith(prefix) ? test(text) : false;
}

function onText(run: Run, apply: (text: string) => boolean): Run {
  return (activation) => {
    const term = run(activation);
    return typeof term === "string" ? apply(term) : notText(term);
  };
}

function notText(term: Term): Abnormal {
  return term instanceof Abnormal ? term : fail(`function does not take ${typeName(term)}`);
}

const TOO_LONG = fail("text is too long for a pattern");
