// A step is a compiled part of an expression: a closure over an activation. The caller charges the `cost` of a step before
// it runs the step. A part without branches is charged at once, and a branch that is not taken is not charged.
import type { Activation } from "./activation.ts";
import { Abnormal, fail, NO_VALUE, type Term, typeName, type Value, worse } from "./value.ts";

/** Evaluates a part of an expression. */
export type Run = (activation: Activation) => Term;

/** A compiled part. */
export type Step = {
  readonly run: Run;
  /** The steps to charge before it runs: its nodes, except those that may not run. */
  readonly cost: number;
  /** Its value, if the value is the same for every request. */
  readonly constant?: Value;
  /** Set if it only reads this slot. */
  readonly slot?: number;
  /** Set if it only compares the variable of a comprehension with a string. */
  readonly localEquals?: { readonly local: number; readonly text: string };
  /** Set if it only reads the variable of a comprehension. */
  readonly local?: number;
};

/** Creates a step with the same value for every request. */
export function constantStep(value: Value, cost = 1): Step {
  return { run: () => value, cost, constant: value };
}

/** Creates a step that fails for every request. */
export function failingStep(reason: string, cost = 1): Step {
  const failure = fail(reason);
  return { run: () => failure, cost };
}

/** Creates a step that applies a function to the value of another step. No value and failure pass through. */
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

/** Creates a step that applies a function to the values of two other steps. */
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

/** Converts an operand of a logical operator that is not a boolean to no value or a failure. */
export function undecided(term: Term): Abnormal {
  return term instanceof Abnormal ? term : fail(`${typeName(term)} where a bool is needed`);
}

/** Returns a failure if one of the terms is one, else no value if one has none, else undefined. */
export function worstOf(terms: readonly Term[]): Abnormal | undefined {
  let worst: Abnormal | undefined;
  for (const term of terms) {
    if (!(term instanceof Abnormal)) continue;
    if (term !== NO_VALUE) return term;
    worst = term;
  }
  return worst;
}

/** Whether all terms have a value. */
export function allValues(terms: readonly Term[]): terms is readonly Value[] {
  return !terms.some((term) => term instanceof Abnormal);
}
