// When an allow rule ends: text -> time, and whether a rule is in force at a time.
import { parseTimestamp } from "../cel/time.ts";
import { Timestamp } from "../cel/value.ts";

/** The time of an RFC 3339 text in milliseconds since 1970, fractions of a millisecond cut; null where there is no such time. */
export function expiryOf(text: string): number | null {
  const time = parseTimestamp(text);
  return time instanceof Timestamp ? Math.floor(Number(time.nanoseconds / 1_000n) / 1_000) : null;
}

/** Whether a rule with this expiry is in force at a time; null stands for a rule that does not expire. */
export function isInForce(expiresMs: number | null, nowMs: number): boolean {
  return expiresMs === null || nowMs < expiresMs;
}
