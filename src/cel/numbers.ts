// Integers of 64 bits: their bounds, and what a result beyond them is.
import { type Abnormal, fail, Uint } from "./value.ts";

/** The least int. */
export const INT_MIN = -(2n ** 63n);

/** The greatest int. */
export const INT_MAX = 2n ** 63n - 1n;

/** The greatest uint. */
const UINT_MAX = 2n ** 64n - 1n;

const INT_OVERFLOW = fail("integer overflow");
const UINT_OVERFLOW = fail("unsigned integer overflow");

/** An int, or the failure of one out of range. */
export function int(value: bigint): bigint | Abnormal {
  return value >= INT_MIN && value <= INT_MAX ? value : INT_OVERFLOW;
}

/** A uint, or the failure of one out of range. */
export function uint(value: bigint): Uint | Abnormal {
  return value >= 0n && value <= UINT_MAX ? new Uint(value) : UINT_OVERFLOW;
}
