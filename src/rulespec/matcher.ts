// RE2 search in the texts of an envelope. A search cannot be interrupted, so its cost is charged before it runs, and the total
// cost is limited. Each pair of pattern and text is searched once.
import type { Pattern } from "../cel/pattern.ts";

/** The cost of the searches of one verification, in steps: instructions times characters, divided by 64. */
export type SearchBudget = number;

/** The budget for an operator's files: a pattern of 30 instructions over 16 MiB, which takes seconds. */
export const OPERATOR_SEARCH: SearchBudget = 10_000_000;

/** The budget for an agent's envelope: at most a tenth of a second, because other envelopes wait. */
export const AGENT_SEARCH: SearchBudget = 100_000;

/** Searches under one budget. */
export class Matcher {
  readonly #budget: SearchBudget;
  readonly #found = new Map<Pattern, Map<string, boolean>>();
  #spent = 0;
  #failure: string | undefined;

  constructor(budget: SearchBudget) {
    this.#budget = budget;
  }

  /** The reason why a search was not made, or undefined. After a failure all answers of this matcher are meaningless. */
  get failure(): string | undefined {
    return this.#failure;
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
    if (this.#spent > this.#budget) this.#failure ??= `searches take more than ${this.#budget} steps`;
    if (this.#failure !== undefined) return false;
    const found = pattern.test(text);
    if (typeof found === "boolean") return found;
    this.#failure = found.reason;
    return false;
  }
}
