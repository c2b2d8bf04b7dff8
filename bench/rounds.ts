// Several ways of doing the same, measured in turn, round after round, so that what else the machine does hits all alike.
// What counts is the relation of medians of one run; the spread says how far to trust it.

/** One way of doing something; it gives its own measure, in whatever unit the comparison has. */
export type Variant = { readonly name: string; readonly measure: () => number | Promise<number> };

/** What became of a variant: its median, and the lowest and highest of its rounds. */
export type Measured = {
  readonly name: string;
  readonly median: number;
  readonly low: number;
  readonly high: number;
};

/** Measures each variant once a round; a first round warms up and does not count. */
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

/** The value below which a part of sorted values lies. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

/** Microseconds that a call takes, from as many calls as fit into some milliseconds. */
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
