// An activation holds the values of one request by slot, and the counters of the condition that is being evaluated.
// Conditions are evaluated on it one after another. It must not outlive its request.
import type { Abnormal, Term } from "./value.ts";
import type { ZoneCache } from "./zones.ts";

/** The values of a request by slot, and the working memory of an evaluation. */
export type Activation = {
  /** The value of each slot; NO_VALUE for those of absent namespaces. */
  readonly slots: readonly Term[];
  /** The result of `has()` for each slot. */
  readonly given: readonly (boolean | Abnormal)[];
  /** The variables of the comprehensions that are running, outermost first. */
  readonly locals: Term[];
  /** The cache of time zones. */
  readonly zones: ZoneCache;
  /** The names of the time zones that this evaluation has used; further uses cost fewer steps. */
  readonly usedZones: Set<string>;
  /** The steps that the condition may still take. Below zero, the condition is over its limit. */
  steps: number;
};

/** Makes an activation. */
export function createActivation(
  slots: readonly Term[],
  given: readonly (boolean | Abnormal)[],
  zones: ZoneCache,
): Activation {
  return { slots, given, locals: [], zones, usedZones: new Set(), steps: 0 };
}
