// The equality of CEL. Values of different types are unequal, except numbers, which are compared across types. Comparing
// never fails, unless it runs out of steps on two large structures.
import { Cidr, IpAddress, sameIp } from "../core/ip-address.ts";
import type { Activation } from "./activation.ts";
import { STEP_CHARACTERS } from "./limits.ts";
import { Duration, isList, MapValue, Timestamp, TypeValue, Uint, type Value } from "./value.ts";

/** Whether two values are equal. Elements and long strings are charged; without steps left, the comparison stops. */
export function equals(a: Value, b: Value, activation: Activation): boolean {
  if (typeof a === "string" || typeof b === "string") {
    if (typeof a !== "string" || typeof b !== "string" || a.length !== b.length) return false;
    chargeLength(activation, a.length);
    return activation.steps >= 0 && a === b;
  }
  // Structures are compared element by element: a list that holds NaN is not equal to itself.
  if (a === b && typeof a !== "object") return true;
  if (isNumeric(a)) return isNumeric(b) && numbersEqual(a, b);
  if (a === null || b === null) return a === b;
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (isList(a)) return isList(b) && listsEqual(a, b, activation);
  if (a instanceof MapValue) return b instanceof MapValue && mapsEqual(a, b, activation);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && bytesEqual(a, b, activation);
  if (a instanceof Timestamp) return b instanceof Timestamp && a.nanoseconds === b.nanoseconds;
  if (a instanceof Duration) return b instanceof Duration && a.nanoseconds === b.nanoseconds;
  if (a instanceof IpAddress) return b instanceof IpAddress && sameIp(a, b);
  if (a instanceof Cidr) return b instanceof Cidr && a.prefixLength === b.prefixLength && sameIp(a.address, b.address);
  return a instanceof TypeValue && b instanceof TypeValue && a.name === b.name;
}

/** A number of any of the three types. */
export type Numeric = bigint | number | Uint;

/** Whether a value is a number of any type. */
export function isNumeric(value: Value): value is Numeric {
  return typeof value === "bigint" || typeof value === "number" || value instanceof Uint;
}

/** Whether two numbers are equal, whatever their types. */
function numbersEqual(a: Numeric, b: Numeric): boolean {
  return compareNumbers(a, b) === 0;
}

/**
 * Compares two numbers: negative, zero or positive, or NaN if one of them is NaN. Integers are compared exactly. An integer
 * and a double are compared as doubles, as the official test cases require; this differs only beyond 2^53.
 */
export function compareNumbers(a: Numeric, b: Numeric): number {
  const left = a instanceof Uint ? a.value : a;
  const right = b instanceof Uint ? b.value : b;
  if (typeof left === "bigint" && typeof right === "bigint") return left < right ? -1 : left > right ? 1 : 0;
  const [x, y] = [Number(left), Number(right)];
  return x < y ? -1 : x > y ? 1 : x === y ? 0 : NaN;
}

function chargeLength(activation: Activation, length: number): void {
  activation.steps -= Math.floor(length / STEP_CHARACTERS);
}

function listsEqual(a: readonly Value[], b: readonly Value[], activation: Activation): boolean {
  if (a.length !== b.length) return false;
  for (const [index, element] of a.entries()) {
    if (--activation.steps < 0) return false;
    const other = b[index];
    if (other === undefined || !equals(element, other, activation)) return false;
  }
  return true;
}

function mapsEqual(a: MapValue, b: MapValue, activation: Activation): boolean {
  if (a.size !== b.size) return false;
  for (const key of a.keys()) {
    if (--activation.steps < 0) return false;
    const value = a.get(key);
    const other = b.get(key);
    if (value === undefined || other === undefined || !equals(value, other, activation)) return false;
  }
  return true;
}

function bytesEqual(a: Uint8Array, b: Uint8Array, activation: Activation): boolean {
  if (a.length !== b.length) return false;
  chargeLength(activation, a.length);
  return a.every((byte, index) => byte === b[index]);
}
