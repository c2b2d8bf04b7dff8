// The arithmetic of CEL on integers, doubles, strings, bytes, lists and times. Integer overflow is a failure. A result that
// can grow is charged by its size before it is built, so an expression that doubles a string runs out of steps, not memory.
import type { Activation } from "./activation.ts";
import { STEP_CHARACTERS } from "./limits.ts";
import { int, uint } from "./numbers.ts";
import { duration, timestamp } from "./time.ts";
import { type Abnormal, Duration, fail, isList, type Term, Timestamp, typeName, Uint, type Value } from "./value.ts";

/** The result of an operation that runs out of steps. The whole condition then fails, even if this result is not used. */
export const OVER_STEPS: Abnormal = fail("over the limit of steps");

/** `a + b`. */
export function add(a: Value, b: Value, activation: Activation): Term {
  if (typeof a === "bigint" && typeof b === "bigint") return int(a + b);
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (a instanceof Uint && b instanceof Uint) return uint(a.value + b.value);
  if (typeof a === "string" && typeof b === "string") {
    return charge(activation, (a.length + b.length) / STEP_CHARACTERS) ? a + b : OVER_STEPS;
  }
  if (isList(a) && isList(b)) return charge(activation, a.length + b.length) ? [...a, ...b] : OVER_STEPS;
  if (a instanceof Uint8Array && b instanceof Uint8Array) return addBytes(a, b, activation);
  return addTimes(a, b) ?? mismatch(a, "+", b);
}

/** `a - b`. */
export function subtract(a: Value, b: Value): Term {
  if (typeof a === "bigint" && typeof b === "bigint") return int(a - b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (a instanceof Uint && b instanceof Uint) return uint(a.value - b.value);
  if (a instanceof Timestamp && b instanceof Timestamp) return duration(a.nanoseconds - b.nanoseconds);
  if (a instanceof Timestamp && b instanceof Duration) return timestamp(a.nanoseconds - b.nanoseconds);
  if (a instanceof Duration && b instanceof Duration) return duration(a.nanoseconds - b.nanoseconds);
  return mismatch(a, "-", b);
}

/** `a * b`. */
export function multiply(a: Value, b: Value): Term {
  if (typeof a === "bigint" && typeof b === "bigint") return int(a * b);
  if (typeof a === "number" && typeof b === "number") return a * b;
  if (a instanceof Uint && b instanceof Uint) return uint(a.value * b.value);
  return mismatch(a, "*", b);
}

/** `a / b`; integers are divided towards zero. */
export function divide(a: Value, b: Value): Term {
  if (typeof a === "bigint" && typeof b === "bigint") return b === 0n ? BY_ZERO : int(a / b);
  if (typeof a === "number" && typeof b === "number") return a / b;
  if (a instanceof Uint && b instanceof Uint) return b.value === 0n ? BY_ZERO : uint(a.value / b.value);
  return mismatch(a, "/", b);
}

/** `a % b`; the result has the sign of `a`. */
export function remainder(a: Value, b: Value): Term {
  if (typeof a === "bigint" && typeof b === "bigint") return b === 0n ? BY_ZERO : a % b;
  if (a instanceof Uint && b instanceof Uint) return b.value === 0n ? BY_ZERO : uint(a.value % b.value);
  return mismatch(a, "%", b);
}

/** `-a`. */
export function negate(a: Value): Term {
  if (typeof a === "bigint") return int(-a);
  if (typeof a === "number") return -a;
  return fail(`${typeName(a)} cannot be negated`);
}

/** Takes the steps for work that is about to be done. Returns false if too few are left; the work must then not be done. */
export function charge(activation: Activation, steps: number): boolean {
  activation.steps -= Math.ceil(steps);
  return activation.steps >= 0;
}

const BY_ZERO = fail("division by zero");

function mismatch(a: Value, operator: string, b: Value): Abnormal {
  return fail(`no operator ${typeName(a)} ${operator} ${typeName(b)}`);
}

function addBytes(a: Uint8Array, b: Uint8Array, activation: Activation): Term {
  if (!charge(activation, (a.length + b.length) / STEP_CHARACTERS)) return OVER_STEPS;
  const sum = new Uint8Array(a.length + b.length);
  sum.set(a);
  sum.set(b, a.length);
  return sum;
}

function addTimes(a: Value, b: Value): Term | undefined {
  if (a instanceof Duration && b instanceof Duration) return duration(a.nanoseconds + b.nanoseconds);
  if (a instanceof Timestamp && b instanceof Duration) return timestamp(a.nanoseconds + b.nanoseconds);
  if (a instanceof Duration && b instanceof Timestamp) return timestamp(a.nanoseconds + b.nanoseconds);
  return undefined;
}
