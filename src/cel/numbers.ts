// The bounds of 64-bit integers, and the failure for a result beyond them.
import { type Abnormal, fail, Uint } from "./value.ts";

/** The least int. */
export const INT_MIN = -(2n ** 63n);

/** The greatest int. */
export const INT_MAX = 2n ** 63n - 1n;

/** The greatest uint. */
const UINT_MAX = 2n ** 64n - 1n;

const INT_OVERFLOW = fail("integer overflow");
const UINT_OVERFLOW = fail("unsigned integer overflow");

/** Returns an int, or a failure if it is out of range. */
export function int(value: bigint): bigint | Abnormal {
  return value >= INT_MIN && value <= INT_MAX ? value : INT_OVERFLOW;
}

/** Returns a uint, or a failure if it is out of range. */
export function uint(value: bigint): Uint | Abnormal {
  return value >= 0n && value <= UINT_MAX ? new Uint(value) : UINT_OVERFLOW;
}
