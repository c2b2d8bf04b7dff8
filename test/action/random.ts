// Seeded random choices for the tests of `action`: the same seed gives the same cases.

/** How many random cases a test runs. */
export { CASES } from "../support/cases.ts";

/** The seed of this run: from the environment, or new. Tests print it when they fail. */
export const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_007);

/** A source of random choices. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 up to, but not including, `end` (mulberry32). */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor(((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 * end);
  }

  /** One of the items; there must be at least one. */
  pick<T>(items: readonly T[]): T {
    const [first] = items.slice(this.below(items.length));
    if (first === undefined) throw new Error("nothing to pick from");
    return first;
  }

  /** A text of up to `most` pieces. */
  text(pieces: readonly string[], most: number): string {
    return Array.from({ length: this.below(most + 1) }, () => this.pick(pieces)).join("");
  }
}
