// Rulespec and facts -> verification: compile, extract, evaluate both ways, compare. Both evaluations always run. If they
// differ, the result is an error.
import type { EngineLimits } from "../datalog/fixed-point.ts";
import type { Json } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type Answer, type Outcome, outcomeOf, type Totals, totalsOf } from "./predicate-answer.ts";
import { compileProgram } from "./compile-program.ts";
import { evaluateTyped } from "./evaluate-predicates.ts";
import { extract, type Extraction } from "./extract.ts";
import { AGENT_SEARCH, Matcher, OPERATOR_SEARCH, type SearchBudget } from "./matcher.ts";
import type { Rulespec } from "./rulespec.ts";
import { type Findings, runProgram } from "./run-program.ts";

/** The limits of a verification. */
export type VerifyLimits = { readonly search: SearchBudget; readonly engine: EngineLimits };

/** The limits for an operator's files: ten times what an envelope of 100,000 facts takes. */
export const OPERATOR_VERIFY: VerifyLimits = {
  search: OPERATOR_SEARCH,
  engine: { facts: 20_000_000, steps: 100_000_000 },
};

/** The limits for an agent's envelope: 10,000 values with a hundred predicates on each, which take a second or two. */
export const AGENT_VERIFY: VerifyLimits = {
  search: AGENT_SEARCH,
  engine: { facts: 2_000_000, steps: 10_000_000 },
};

/** The result of verifying facts against a rulespec. */
export type Verification = {
  readonly rulespec: Rulespec;
  readonly answers: readonly Answer[];
  readonly totals: Totals;
  readonly outcome: Outcome;
  readonly extraction: Extraction;
  /** The program that was run, in Soufflé's dialect. */
  readonly program: string;
};

/** Verifies facts. The error is a limit, or a difference between the two evaluations. */
export function verify(rulespec: Rulespec, facts: Json, limits: VerifyLimits): Result<Verification, Problem> {
  const matcher = new Matcher(limits.search);
  const extraction = extract(rulespec, facts);
  const program = compileProgram(rulespec, extraction, matcher);
  const answers = evaluateTyped(rulespec, extraction, matcher);
  if (matcher.failure !== undefined) return err(problem("rulespec.limit", matcher.failure));
  const found = runProgram(program, limits.engine);
  if (!found.ok) return err(asMismatch(found.error));
  const difference = findDifference(answers, found.value);
  if (difference !== undefined) return err(difference);
  const totals = totalsOf(answers);
  return ok({ rulespec, answers, totals, outcome: outcomeOf(totals), extraction, program });
}

// A program that does not run is treated like one with a different result.
function asMismatch(found: Problem): Problem {
  if (found.code === "datalog.limit") return problem("rulespec.limit", `the program takes too long: ${found.message}`);
  return problem("rulespec.engine-mismatch", `the program does not run: ${found.message}`);
}

/**
 * The first difference between the two evaluations, or undefined. Both must give each predicate the same single status, and
 * the program must name no other predicate.
 */
export function findDifference(answers: readonly Answer[], found: Findings): Problem | undefined {
  const differ = (index: number, how: string) => problem("rulespec.engine-mismatch", `predicate ${index}: ${how}`);
  for (const { index, status } of answers) {
    const given = found.get(index) ?? [];
    if (given.length === 1 && given[0] === status) continue;
    const program = given.length === 0 ? "nothing" : given.join(" and ");
    return differ(index, `the typed evaluation gives ${status}, the program ${program}`);
  }
  const unknown = [...found.keys()].find((index) => answers[index] === undefined);
  return unknown === undefined ? undefined : differ(unknown, "the program names it, the rulespec does not");
}
