// Rulespec and facts -> verification: compile, extract, evaluate both ways, compare (rulespec.md 4, 6). Both evaluations
// always run; where they differ there is no outcome, only an error.
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

/** What a verification may cost. */
export type VerifyLimits = { readonly search: SearchBudget; readonly engine: EngineLimits };

/** For files of an operator: ten times what an envelope of 10^5 facts takes. */
export const OPERATOR_VERIFY: VerifyLimits = {
  search: OPERATOR_SEARCH,
  engine: { facts: 20_000_000, steps: 100_000_000 },
};

/** For an agent's envelope: its 10,000 values under a rulespec of a hundred predicates on each, a second or two of a thread. */
export const AGENT_VERIFY: VerifyLimits = {
  search: AGENT_SEARCH,
  engine: { facts: 2_000_000, steps: 10_000_000 },
};

/** What came of facts under a rulespec. */
export type Verification = {
  readonly rulespec: Rulespec;
  readonly answers: readonly Answer[];
  readonly totals: Totals;
  readonly outcome: Outcome;
  readonly extraction: Extraction;
  /** The program that was run, in Soufflé's dialect. */
  readonly program: string;
};

/** Verifies facts; a problem where it costs too much or where the two evaluations differ. */
export function verify(rulespec: Rulespec, facts: Json, limits: VerifyLimits): Result<Verification, Problem> {
  const matcher = new Matcher(limits.search);
  const extraction = extract(rulespec, facts);
  const program = compileProgram(rulespec, extraction, matcher);
  const answers = evaluateTyped(rulespec, extraction, matcher);
  if (matcher.trouble !== undefined) return err(problem("rulespec.limit", matcher.trouble));
  const found = runProgram(program, limits.engine);
  if (!found.ok) return err(asMismatch(found.error));
  const difference = findDifference(answers, found.value);
  if (difference !== undefined) return err(difference);
  const totals = totalsOf(answers);
  return ok({ rulespec, answers, totals, outcome: outcomeOf(totals), extraction, program });
}

// A program that our own engine does not take is as bad as one that says something else.
function asMismatch(found: Problem): Problem {
  if (found.code === "datalog.limit") return problem("rulespec.limit", `the program takes too long: ${found.message}`);
  return problem("rulespec.engine-mismatch", `the program does not run: ${found.message}`);
}

/** Where the two evaluations differ, or undefined: each predicate has the one status that both give it, and no other is named. */
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
