// The answer to one predicate, and the outcome of all of them.
import type { PredicateTotals } from "../wire/stored-envelope.ts";
import type { Predicate } from "./rulespec.ts";

/** The status of a predicate; `skip` if its `when` does not hold. */
export type Status = "pass" | "fail" | "skip";

/** One predicate with its status, and the reason in words. */
export type Answer = {
  readonly index: number;
  readonly predicate: Predicate;
  readonly status: Status;
  readonly reason: string;
};

/** The outcome of all predicates. Only `verified` is ever stamped. */
export type Outcome = "verified" | "failed" | "vacuous";

/** How many predicates have each status. */
export type Totals = PredicateTotals;

/** The totals of no predicates. */
export const NO_TOTALS: Totals = { passed: 0, failed: 0, skipped: 0, total: 0 };

/** Counts answers. */
export function totalsOf(answers: readonly Answer[]): Totals {
  const count = (status: Status): number => answers.filter((answer) => answer.status === status).length;
  return { passed: count("pass"), failed: count("fail"), skipped: count("skip"), total: answers.length };
}

/** The outcome of the answers: `verified` if none failed and at least one passed. */
export function outcomeOf({ passed, failed }: Totals): Outcome {
  if (failed > 0) return "failed";
  return passed > 0 ? "verified" : "vacuous";
}
