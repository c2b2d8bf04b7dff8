// The number of cases of each random test: 1,000 by default, 10,000 in the gate, 100,000 in `bun run nightly`.
// `OUTCALL_CASES` sets it.

/** How many random cases a test tries. */
export const CASES = Number(process.env["OUTCALL_CASES"] ?? 1_000);

// Whether this is the nightly run. Tests whose rounds are not random cases (kills, memory) then run all their rounds.
const IS_NIGHTLY = CASES >= 100_000;

/** The first number in the nightly run, the second one otherwise. */
export function roundsOf(nightly: number, usual: number): number {
  return IS_NIGHTLY ? nightly : usual;
}
