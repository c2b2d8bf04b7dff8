// Compares several ways of doing the same thing. They are measured in turn, round after round, so that other work of
// the machine affects all of them alike. The result is the ratio of the medians of one run; the spread shows how
// reliable it is.

/** One way of doing something. `measure` returns a number in the unit of the comparison. */
export type Variant = { readonly name: string; readonly measure: () => number | Promise<number> };

/** The result of a variant: the median, the lowest and the highest of its rounds. */
export type Measured = {
  readonly name: string;
  readonly median: number;
  readonly low: number;
  readonly high: number;
};

/** Measures each variant once per round; the first round is a warm-up and does not count. */
export async function compare(variants: readonly Variant[], rounds: number): Promise<readonly Measured[]> {
  const all = variants.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, variant] of variants.entries()) {
      const value = await variant.measure();
      if (round > 0) all[at]?.push(value);
    }
  }
  return variants.map(({ name }, at) => ({ name, ...summarize(all[at] ?? []) }));
}

/** Median, lowest and highest of numbers. */
export function summarize(values: readonly number[]): Omit<Measured, "name"> {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: sorted[0] ?? NaN, high: sorted.at(-1) ?? NaN };
}

/** The value below which a given part of the sorted values lies. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

/** Microseconds per call, averaged over as many calls as fit into the given time. */
export function microsecondsOf(call: () => unknown, milliseconds = 100): number {
  let calls = 1;
  for (;;) {
    const startMs = performance.now();
    for (let call_ = 0; call_ < calls; call_++) call();
    const tookMs = performance.now() - startMs;
    if (tookMs >= milliseconds) return (tookMs * 1_000) / calls;
    calls = Math.max(calls + 1, Math.min(calls * 10, Math.ceil((calls * milliseconds) / Math.max(tookMs, 0.01))));
  }
}
