// Limits what checking a text may cost: the length of conditions once definitions are expanded, and the instructions of their
// patterns. Without limits, a few kilobytes that use one definition hundreds of times cost seconds and hundreds of megabytes.
import { createPatternBudget, type PatternBudget } from "../cel/check-calls.ts";
import { PATTERN_INSTRUCTIONS } from "../cel/limits.ts";

/** The longest condition or definition after expansion, in UTF-16 units (256 KiB). */
export const EXPANDED_LENGTH = 256 * 1024;

/** The longest sum over all conditions of an agent's text, in UTF-16 units. */
export const AGENT_EXPANDED_LENGTH = 256 * 1024;

/** The most instructions of all patterns of an agent's text: one of the largest patterns for each of 20 rules. */
export const AGENT_INSTRUCTIONS = 20 * PATTERN_INSTRUCTIONS;

/** The remaining budget for the expanded texts and the patterns of one file. */
export class ExpansionBudget {
  /** The remaining budget for patterns. */
  readonly patterns: PatternBudget;
  readonly #total: number;
  #left: number;

  /** Makes a budget in UTF-16 units for all texts together, and in instructions for all patterns together. */
  constructor(total = Infinity, instructions = Infinity) {
    this.#total = total;
    this.#left = total;
    this.patterns = createPatternBudget(instructions);
  }

  /** The budget of a text from an agent. */
  static ofAgent(): ExpansionBudget {
    return new ExpansionBudget(AGENT_EXPANDED_LENGTH, AGENT_INSTRUCTIONS);
  }

  /** Takes the length of one text from the budget; returns the reason if it is too long, else null. */
  take(length: number): string | null {
    if (length > EXPANDED_LENGTH) return `condition expands to over ${EXPANDED_LENGTH / 1024} KiB`;
    this.#left -= length;
    return this.#left < 0 ? `conditions expand to over ${this.#total / 1024} KiB in all` : null;
  }
}
