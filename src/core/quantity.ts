// Ages such as `30d` and sizes such as `1GB` -> numbers.

const MILLISECONDS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const BYTES: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** Milliseconds of an age such as `30s`, `5m`, `1h`, `30d` or `2w`; null for anything else, zero included. */
export function parseAge(text: string): number | null {
  return amountOf(/^([0-9]{1,6})([smhdw])$/.exec(text), MILLISECONDS);
}

/** Bytes of a size such as `500MB` or `1GB`, in powers of ten; null for anything else, zero included. */
export function parseSize(text: string): number | null {
  return amountOf(/^([0-9]{1,6})([KMGT]B)$/.exec(text), BYTES);
}

function amountOf(match: RegExpExecArray | null, units: Readonly<Record<string, number>>): number | null {
  const amount = Number(match?.[1]) * (units[match?.[2] ?? ""] ?? 0);
  return amount > 0 ? amount : null;
}
