// A random number generator with a seed, so that a failing case can be run again.

/** Random numbers that the seed determines. */
export type Random = {
  /** An integer from 0 up to, but not including, the limit. */
  readonly below: (limit: number) => number;
  /** One of the values. */
  readonly pick: <T>(values: readonly T[]) => T;
};

/** A source of random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A generator; the same seed gives the same numbers. */
export function seededRandom(seed: number): Random {
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    below,
    pick: (values) => {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error("nothing to pick from");
      return value;
    },
  };
}
