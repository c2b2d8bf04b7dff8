// The counts of a gate's steps, and the line that is printed last.

/** How many checks and tests passed and failed, and the names of those that were skipped. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: readonly string[] };

/** The tally before anything has run. */
export const EMPTY_TALLY: Tally = { passed: 0, failed: 0, skipped: [] };

/** The sum of two tallies. */
export function addTallies(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: [...a.skipped, ...b.skipped] };
}

/**
 * In continuous integration the machine must have everything that the tests need, so a skipped test counts as failed.
 */
export function countSkippedAsFailed(tally: Tally): Tally {
  return { passed: tally.passed, failed: tally.failed + tally.skipped.length, skipped: [] };
}

/** The closing line: `N passed, N failed`, and `, N skipped` where there are any. */
export function formatTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped.length === 0 ? "" : `, ${skipped.length} skipped`}`;
}
