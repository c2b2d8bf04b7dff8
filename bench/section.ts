// A section of the benchmark page: what was compared, the required bound, and the result.
import type { Measured } from "./rounds.ts";

/** One comparison. The ratio is between medians of the same run; `bound` is the limit that the specification sets. */
export type Row = {
  readonly what: string;
  readonly unit: string;
  readonly measured: readonly Measured[];
  readonly ratio:
    | { readonly of: string; readonly value: number; readonly bound: string; readonly isReached: boolean }
    | null;
};

/** Several comparisons under one heading, with notes. */
export type Section = { readonly title: string; readonly notes: readonly string[]; readonly rows: readonly Row[] };

/** The ratio of two measured medians, which must not be above a bound. */
export function atMost(measured: readonly Measured[], of: string, to: string, bound: number): Row["ratio"] {
  const value = medianOf(measured, of) / medianOf(measured, to);
  return { of: `Ratio of ${of} to ${to}`, value, bound: `at most ${bound}`, isReached: value <= bound };
}

/** The ratio of two measured medians, which must not be below a bound. */
export function atLeast(measured: readonly Measured[], of: string, to: string, bound: number): Row["ratio"] {
  const value = medianOf(measured, of) / medianOf(measured, to);
  return { of: `Ratio of ${of} to ${to}`, value, bound: `at least ${bound}`, isReached: value >= bound };
}

/** A median that must stay below an absolute bound. */
export function under(measured: readonly Measured[], of: string, bound: number, unit: string): Row["ratio"] {
  const value = medianOf(measured, of);
  return { of, value, bound: `under ${bound} ${unit}`, isReached: value < bound };
}

function medianOf(measured: readonly Measured[], name: string): number {
  return measured.find((each) => each.name === name)?.median ?? NaN;
}
