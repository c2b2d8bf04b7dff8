// Activation: what one request gives to the slots of an environment, and the counters of the condition that is being
// evaluated on it. Conditions are evaluated on it one after another; it must not outlive its request.
import type { Abnormal, Term } from "./value.ts";
import type { ZoneCache } from "./zones.ts";

/** The terms of a request by slot, with the working memory of an evaluation. */
export type Activation = {
  /** The value of each slot; NO_VALUE for those of absent namespaces. */
  readonly slots: readonly Term[];
  /** What `has()` says of each slot. */
  readonly given: readonly (boolean | Abnormal)[];
  /** The variables of the comprehensions that are running, outermost first. */
  readonly locals: Term[];
  /** Time zones by name. */
  readonly zones: ZoneCache;
  /** The names of time zones that this evaluation has used, which are cheaper from then on. */
  readonly usedZones: Set<string>;
  /** Steps that the condition may still take; below zero it is over its limit. */
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
