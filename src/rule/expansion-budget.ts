// What checking a text may cost: how long conditions become when definitions are put in, and the instructions of their
// patterns. A few kilobytes from an agent that use one definition hundreds of times would otherwise take seconds to check.
import { createPatternBudget, type PatternBudget } from "../cel/check-calls.ts";
import { PATTERN_INSTRUCTIONS } from "../cel/limits.ts";

/** Largest text of one condition or definition after expansion, in UTF-16 units: 256 KiB. */
export const EXPANDED_LENGTH = 256 * 1024;

/** Largest sum over all conditions of a text from an agent. */
export const AGENT_EXPANDED_LENGTH = 256 * 1024;

/** Most instructions of all patterns of a text from an agent: one of the largest patterns for each of 20 rules. */
export const AGENT_INSTRUCTIONS = 20 * PATTERN_INSTRUCTIONS;

/** What is left for the expanded texts and the patterns of one file. */
export class ExpansionBudget {
  /** What is left for patterns. */
  readonly patterns: PatternBudget;
  readonly #total: number;
  #left: number;

  /** A budget of so many UTF-16 units over all texts, and of so many instructions over all patterns. */
  constructor(total = Infinity, instructions = Infinity) {
    this.#total = total;
    this.#left = total;
    this.patterns = createPatternBudget(instructions);
  }

  /** The budget of a text from an agent. */
  static ofAgent(): ExpansionBudget {
    return new ExpansionBudget(AGENT_EXPANDED_LENGTH, AGENT_INSTRUCTIONS);
  }

  /** Takes the length of one text; why it must not be made, or null. */
  take(length: number): string | null {
    if (length > EXPANDED_LENGTH) return `condition expands to over ${EXPANDED_LENGTH / 1024} KiB`;
    this.#left -= length;
    return this.#left < 0 ? `conditions expand to over ${this.#total / 1024} KiB in all` : null;
  }
}
