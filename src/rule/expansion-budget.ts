// Limits how long conditions may become when definitions are expanded: each one, and for an agent's text also the sum. Without
// a limit, a few kilobytes that use one definition hundreds of times cost seconds and hundreds of megabytes to check.

/** The longest condition or definition after expansion, in UTF-16 units (256 KiB). */
export const EXPANDED_LENGTH = 256 * 1024;

/** The longest sum over all conditions of an agent's text, in UTF-16 units. */
export const AGENT_EXPANDED_LENGTH = 256 * 1024;

/** The remaining budget for the expanded texts of one file. */
export class ExpansionBudget {
  readonly #total: number;
  #left: number;

  /** Makes a budget in UTF-16 units for all texts together. */
  constructor(total = Infinity) {
    this.#total = total;
    this.#left = total;
  }

  /** Takes the length of one text from the budget; returns the reason if it is too long, else null. */
  take(length: number): string | null {
    if (length > EXPANDED_LENGTH) return `condition expands to over ${EXPANDED_LENGTH / 1024} KiB`;
    this.#left -= length;
    return this.#left < 0 ? `conditions expand to over ${this.#total / 1024} KiB in all` : null;
  }
}
