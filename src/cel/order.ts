// The order of CEL: numbers across their types, strings by code point, bytes, booleans, timestamps and durations.
import type { Activation } from "./activation.ts";
import { charge, OVER_STEPS } from "./arithmetic.ts";
import { compareNumbers, isNumeric } from "./equality.ts";
import { STEP_CHARACTERS } from "./limits.ts";
import { type Abnormal, Duration, fail, Timestamp, typeName, type Value } from "./value.ts";

/** Compares two values: negative, zero or positive, NaN if one of them is NaN, or a failure if they have no order. */
export function compare(a: Value, b: Value, activation: Activation): number | Abnormal {
  if (typeof a === "string" && typeof b === "string") {
    return chargeShorter(activation, a, b) ? compareStrings(a, b) : OVER_STEPS;
  }
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  if (typeof a === "boolean" && typeof b === "boolean") return Number(a) - Number(b);
  if (a instanceof Timestamp && b instanceof Timestamp) return compareNumbers(a.nanoseconds, b.nanoseconds);
  if (a instanceof Duration && b instanceof Duration) return compareNumbers(a.nanoseconds, b.nanoseconds);
  if (a instanceof Uint8Array && b instanceof Uint8Array) {
    return chargeShorter(activation, a, b) ? compareBytes(a, b) : OVER_STEPS;
  }
  return fail(`${typeName(a)} and ${typeName(b)} have no order`);
}

type Sized = { readonly length: number };

function chargeShorter(activation: Activation, a: Sized, b: Sized): boolean {
  return charge(activation, Math.floor(Math.min(a.length, b.length) / STEP_CHARACTERS));
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

// JavaScript compares UTF-16 units, which would put characters beyond U+FFFF before U+E000.
function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

// Surrogates encode code points beyond U+FFFF, so they are ordered after all other units.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
