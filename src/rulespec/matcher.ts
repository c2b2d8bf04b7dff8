// RE2 search in texts of an envelope, each pair of pattern and text searched once and paid for before: a search cannot be
// interrupted, so what all of them may cost together is bounded.
import type { Pattern } from "../cel/pattern.ts";

/** What the searches of one verification may cost, in the steps of conditions (instructions times characters by 64). */
export type SearchBudget = number;

/** For files of an operator: a pattern of 30 instructions over 16 MiB, in seconds. */
export const OPERATOR_SEARCH: SearchBudget = 10_000_000;

/** For an agent's envelope, which is verified while others wait: a tenth of a second at most. */
export const AGENT_SEARCH: SearchBudget = 100_000;

/** Searches under one budget. */
export class Matcher {
  readonly #budget: SearchBudget;
  readonly #found = new Map<Pattern, Map<string, boolean>>();
  #spent = 0;
  #trouble: string | undefined;

  constructor(budget: SearchBudget) {
    this.#budget = budget;
  }

  /** Why an answer was not found; then every answer of this matcher is of no use. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Whether the pattern occurs in the text. */
  finds(pattern: Pattern, text: string): boolean {
    const known = this.#found.get(pattern) ?? new Map<string, boolean>();
    this.#found.set(pattern, known);
    const found = known.get(text) ?? this.#search(pattern, text);
    known.set(text, found);
    return found;
  }

  #search(pattern: Pattern, text: string): boolean {
    this.#spent += 1 + pattern.cost(text);
    if (this.#spent > this.#budget) this.#trouble ??= `searches take more than ${this.#budget} steps`;
    if (this.#trouble !== undefined) return false;
    const found = pattern.test(text);
    if (typeof found === "boolean") return found;
    this.#trouble = found.reason;
    return false;
  }
}
