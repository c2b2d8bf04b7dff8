// How long texts may become when definitions are put in: one by itself, and those of an agent all together. A few kilobytes
// that use one definition hundreds of times would otherwise cost seconds and hundreds of megabytes to check.

/** Largest text of one condition or definition after expansion, in UTF-16 units: the 256 KiB of the specification. */
export const EXPANDED_LENGTH = 256 * 1024;

/** Largest sum over all conditions of a text from an agent, which is checked on the serving thread. */
export const AGENT_EXPANDED_LENGTH = 256 * 1024;

/** What is left for the expanded texts of one file. */
export class ExpansionBudget {
  readonly #total: number;
  #left: number;

  /** A budget of so many UTF-16 units over all texts. */
  constructor(total = Infinity) {
    this.#total = total;
    this.#left = total;
  }

  /** Takes the length of one text; why it must not be made, or null. */
  take(length: number): string | null {
    if (length > EXPANDED_LENGTH) return `condition expands to over ${EXPANDED_LENGTH / 1024} KiB`;
    this.#left -= length;
    return this.#left < 0 ? `conditions expand to over ${this.#total / 1024} KiB in all` : null;
  }
}
