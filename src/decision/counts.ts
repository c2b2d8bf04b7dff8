// Counts since the daemon started, for `outcall status`.

/** How many requests were allowed, blocked, and refused before a decision. */
export type Counts = { allowed: number; blocked: number; refused: number };

/** All counts at zero. */
export function createCounts(): Counts {
  return { allowed: 0, blocked: 0, refused: 0 };
}
