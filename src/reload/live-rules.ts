// The rule set in force: one reference that a reload swaps. Whoever decides takes the set once and finishes on it.
import type { RuleSet } from "../rule/rule-set.ts";

/** The set in force and when it came to be. */
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

  /** Puts another set in force. */
  swap(next: LiveSet): void {
    this.#live = next;
  }
}
