// The rule set in force: one reference that a reload swaps. A decision reads the reference once and finishes on that set.
import type { RuleSet } from "../rule/rule-set.ts";

/** The rule set in force and the time of its load. */
export type LiveSet = { readonly set: RuleSet; readonly loadedAt: Date };

/** Holds the set in force. */
export class LiveRules {
  #live: LiveSet;

  constructor(first: LiveSet) {
    this.#live = first;
  }

  /** The set in force now. */
  get current(): LiveSet {
    return this.#live;
  }

  /** Replaces the set in force. */
  swap(next: LiveSet): void {
    this.#live = next;
  }
}
