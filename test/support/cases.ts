// How many random cases a test tries, in one place: 1,000 by itself, 10,000 in the gate, 100,000 and more by
// `bun run nightly`. `OUTCALL_CASES` sets the number.

/** How many random cases a test tries. */
export const CASES = Number(process.env["OUTCALL_CASES"] ?? 1_000);

// Whether this is the long run: tests whose rounds cannot be counted in cases (kills, memory) then do all of them.
const IS_NIGHTLY = CASES >= 100_000;

/** The first number in the long run, the second in every other. */
export function roundsOf(nightly: number, usual: number): number {
  return IS_NIGHTLY ? nightly : usual;
}
