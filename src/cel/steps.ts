// Step: a part of a compiled expression, as a closure over an activation. Running costs its `cost` in steps, which
// whoever runs it charges first; so a stretch without branches is charged at once, and only what is run is charged.
import type { Activation } from "./activation.ts";
import { Abnormal, fail, NO_VALUE, type Term, typeName, type Value, worse } from "./value.ts";

/** Evaluates a part of an expression. */
export type Run = (activation: Activation) => Term;

/** A compiled part. */
export type Step = {
  readonly run: Run;
  /** Steps to be charged before it runs: its nodes, but for those that are not always run. */
  readonly cost: number;
  /** Its value, where that is known before any request. */
  readonly constant?: Value;
  /** Set where it does nothing but read this slot. */
  readonly slot?: number;
  /** Set where it does nothing but compare the variable of a comprehension with a string. */
  readonly localEquals?: { readonly local: number; readonly text: string };
  /** Set where it does nothing but read the variable of a comprehension. */
  readonly local?: number;
};

/** A step that gives the same value for every request. */
export function constantStep(value: Value, cost = 1): Step {
  return { run: () => value, cost, constant: value };
}

/** A step that fails for every request. */
export function failingStep(reason: string, cost = 1): Step {
  const failure = fail(reason);
  return { run: () => failure, cost };
}

/** A step that applies a strict operation to the value of one other; absence and failure pass through. */
export function strictStep(operand: Step, apply: (value: Value, activation: Activation) => Term): Step {
  const { run } = operand;
  return {
    cost: 1 + operand.cost,
    run: (activation) => {
      const term = run(activation);
      return term instanceof Abnormal ? term : apply(term, activation);
    },
  };
}

/** A step that applies a strict operation to the values of two others. */
export function strictPair(
  left: Step,
  right: Step,
  apply: (left: Value, right: Value, activation: Activation) => Term,
): Step {
  const [runLeft, runRight] = [left.run, right.run];
  return {
    cost: 1 + left.cost + right.cost,
    run: (activation) => {
      const a = runLeft(activation);
      const b = runRight(activation);
      if (a instanceof Abnormal) return b instanceof Abnormal ? worse(a, b) : a;
      return b instanceof Abnormal ? b : apply(a, b, activation);
    },
  };
}

/** What an operand of a logical operator is when it is neither true nor false. */
export function undecided(term: Term): Abnormal {
  return term instanceof Abnormal ? term : fail(`${typeName(term)} where a bool is needed`);
}

/** The worst of the terms that have no value, or undefined if each has one. */
export function worstOf(terms: readonly Term[]): Abnormal | undefined {
  let worst: Abnormal | undefined;
  for (const term of terms) {
    if (!(term instanceof Abnormal)) continue;
    if (term !== NO_VALUE) return term;
    worst = term;
  }
  return worst;
}

/** Whether every one of the terms has a value. */
export function allValues(terms: readonly Term[]): terms is readonly Value[] {
  return !terms.some((term) => term instanceof Abnormal);
}
