// Evaluates a condition under two limits of steps: that of the condition, and that of the whole evaluation. It never throws:
// a failure is an outcome too.
import type { Activation } from "./activation.ts";
import type { Predicate } from "./compile-expression.ts";
import { CONDITION_STEPS, EVALUATION_STEPS } from "./limits.ts";
import { Abnormal, NO_VALUE, type Value } from "./value.ts";

/** The outcome of a condition: a value, no value (the result depends on an absent namespace), or a failure with its reason. */
export type Outcome =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "no-value" }
  | {
    readonly kind: "error";
    readonly reason: string;
    /** Text within the reason that the context may have given, exactly as it is written there. */
    readonly foreign?: string;
  };

/** The steps left for all conditions of one evaluation. */
export type Meter = {
  /** Below zero, the evaluation is over its limit: the request is blocked, and no rule is named. */
  remaining: number;
};

/** Creates the meter of an evaluation. */
export function createMeter(): Meter {
  return { remaining: EVALUATION_STEPS };
}

/** Whether the evaluation is over its limit. The request is then blocked, whatever its conditions returned. */
export function isSpent(meter: Meter): boolean {
  return meter.remaining < 0;
}

/** Evaluates a condition. Call `isSpent` before using the outcome. */
export function evaluate(predicate: Predicate, activation: Activation, meter: Meter): Outcome {
  const limit = meter.remaining < CONDITION_STEPS ? meter.remaining : CONDITION_STEPS;
  activation.steps = limit - predicate.cost;
  const term = activation.steps < 0 ? NO_VALUE : predicate.run(activation);
  if (activation.steps < 0) {
    // Work over the limit was not done, so a condition is charged its limit at most.
    meter.remaining = limit < CONDITION_STEPS ? -1 : meter.remaining - CONDITION_STEPS;
    return OVER_LIMIT;
  }
  meter.remaining -= limit - activation.steps;
  if (term === true) return TRUE;
  if (term === false) return FALSE;
  if (!(term instanceof Abnormal)) return { kind: "value", value: term };
  if (term === NO_VALUE) return NONE;
  const { reason, foreign } = term;
  return foreign === null ? { kind: "error", reason } : { kind: "error", reason, foreign };
}

const TRUE: Outcome = { kind: "value", value: true };
const FALSE: Outcome = { kind: "value", value: false };
const NONE: Outcome = { kind: "no-value" };
const OVER_LIMIT: Outcome = { kind: "error", reason: `over ${CONDITION_STEPS} steps` };
