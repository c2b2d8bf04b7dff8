// What the steps of a gate gave, counted together, and the line that closes it.

/** How many checks and tests passed and failed, and the names of those that were skipped. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: readonly string[] };

/** A tally of nothing. */
export const EMPTY_TALLY: Tally = { passed: 0, failed: 0, skipped: [] };

/** Both tallies together. */
export function addTallies(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: [...a.skipped, ...b.skipped] };
}

/** In continuous integration the machine must have all that the tests need, so a skipped test is a failed one. */
export function countSkippedAsFailed(tally: Tally): Tally {
  return { passed: tally.passed, failed: tally.failed + tally.skipped.length, skipped: [] };
}

/** The closing line: `N passed, N failed`, and `, N skipped` where there are any. */
export function formatTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped.length === 0 ? "" : `, ${skipped.length} skipped`}`;
}
