// Predicate and activation -> outcome, under two limits: of the condition, and of the whole evaluation that it is a
// part of. Total: whatever goes wrong is an outcome.
import type { Activation } from "./activation.ts";
import type { Predicate } from "./compile-expression.ts";
import { CONDITION_STEPS, EVALUATION_STEPS } from "./limits.ts";
import { Abnormal, NO_VALUE, type Value } from "./value.ts";

/** What a condition came to: a value, nothing (it hangs on an absent namespace), or a failure with its reason. */
export type Outcome =
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "no-value" }
  | {
    readonly kind: "error";
    readonly reason: string;
    /** Text within the reason that the context may have given, exactly as it is written there. */
    readonly foreign?: string;
  };

/** The steps that are left to one evaluation, over all its conditions. */
export type Meter = {
  /** Below zero, the evaluation is over its limit and must end in a block with no rule. */
  remaining: number;
};

/** A meter for one evaluation. */
export function createMeter(): Meter {
  return { remaining: EVALUATION_STEPS };
}

/** Whether the evaluation is over its limit: whatever its conditions came to, the request is blocked with no rule. */
export function isSpent(meter: Meter): boolean {
  return meter.remaining < 0;
}

/** Evaluates a condition; ask `isSpent` before its outcome is used. */
export function evaluate(predicate: Predicate, activation: Activation, meter: Meter): Outcome {
  const limit = meter.remaining < CONDITION_STEPS ? meter.remaining : CONDITION_STEPS;
  activation.steps = limit - predicate.cost;
  const term = activation.steps < 0 ? NO_VALUE : predicate.run(activation);
  if (activation.steps < 0) {
    // Work that was refused was not done, so a condition costs at most its limit.
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
