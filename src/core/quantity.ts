// Durations and sizes as operators write them -> numbers. Every flag and file uses this one grammar, and accepts some
// of its units.

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const;

/** A unit of time: milliseconds, seconds, minutes, hours, days or weeks. */
export type TimeUnit = keyof typeof MILLISECONDS;

/** The units of a short time limit: 500ms, 2s, 1m. */
export const LIMIT_UNITS: readonly TimeUnit[] = ["ms", "s", "m"];

/** The units of an age: 30s, 10m, 1h, 30d, 8w. */
export const AGE_UNITS: readonly TimeUnit[] = ["s", "m", "h", "d", "w"];

/** The longest duration: further back or ahead than any date that is written. */
const DURATION_MAX_MS = 999_999 * MILLISECONDS.w;

const BYTES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Milliseconds of a whole number with one of the units, such as `500ms`; null for anything else, zero included. */
export function parseDuration(text: string, units: readonly TimeUnit[]): number | null {
  const match = /^([0-9]{1,9})([a-z]{1,2})$/.exec(text);
  const unit = units.find((each) => each === match?.[2]);
  const amountMs = unit === undefined ? 0 : Number(match?.[1]) * MILLISECONDS[unit];
  return amountMs <= DURATION_MAX_MS ? positive(amountMs) : null;
}

/** Bytes of a size such as `500MB` or `1GB`, in powers of ten; null for anything else, zero included. */
export function parseSize(text: string): number | null {
  const match = /^([0-9]{1,6})([KMGT]B)$/.exec(text);
  return positive(Number(match?.[1]) * (BYTES[match?.[2] ?? ""] ?? 0));
}

function positive(amount: number): number | null {
  return amount > 0 ? amount : null;
}
