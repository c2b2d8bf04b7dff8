// Answer: what became of one predicate; outcome: what became of all of them.
import type { PredicateTotals } from "../wire/stored-envelope.ts";
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
export type Totals = PredicateTotals;

/** The totals of no predicates. */
export const NO_TOTALS: Totals = { passed: 0, failed: 0, skipped: 0, total: 0 };

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
