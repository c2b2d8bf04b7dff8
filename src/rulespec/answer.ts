// Answer: what became of one predicate; outcome: what became of all of them.
import type { Predicate } from "./rulespec.ts";

/** What a predicate gives: skipped where its `when` is not met. */
export type Status = "pass" | "fail" | "skip";

/** One predicate with what it gave, and why in words. */
export type Answer = {
  readonly index: number;
  readonly predicate: Predicate;
  readonly status: Status;
  readonly reason: string;
};

/** What all predicates give together; only the first is ever stamped. */
export type Outcome = "verified" | "failed" | "vacuous";

/** How many predicates gave what. */
export type Totals = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
};

/** Counts answers. */
export function totalsOf(answers: readonly Answer[]): Totals {
  const count = (status: Status): number => answers.filter((answer) => answer.status === status).length;
  return { passed: count("pass"), failed: count("fail"), skipped: count("skip"), total: answers.length };
}

/** The outcome of answers: nothing that failed and something that passed, or it is not verified. */
export function outcomeOf({ passed, failed }: Totals): Outcome {
  if (failed > 0) return "failed";
  return passed > 0 ? "verified" : "vacuous";
}
