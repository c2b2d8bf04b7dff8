// The conversions of CEL between its types. A value that does not fit is a failure; it is never rounded to fit.
import type { Activation } from "./activation.ts";
import { charge, OVER_STEPS } from "./arithmetic.ts";
import { STEP_CHARACTERS } from "./limits.ts";
import { int, uint } from "./numbers.ts";
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp, timestamp } from "./time.ts";
import { type Abnormal, Duration, fail, type Term, Timestamp, typeName, TypeValue, Uint, type Value } from "./value.ts";

/** `bool(x)`. */
export function toBool(value: Value): Term {
  if (typeof value === "boolean") return value;
  if (typeof value !== "string") return unconvertible(value, "bool");
  if (TRUE_WORDS.has(value)) return true;
  return FALSE_WORDS.has(value) ? false : fail("string is not a bool");
}

/** `int(x)`; a double is cut towards zero. */
export function toInt(value: Value): Term {
  if (typeof value === "bigint") return value;
  if (value instanceof Uint) return int(value.value);
  if (typeof value === "number") return doubleToInt(value, -INT_LIMIT);
  if (typeof value === "string") return integerText(value, int);
  if (value instanceof Timestamp) return floorDivide(value.nanoseconds, 1_000_000_000n);
  return unconvertible(value, "int");
}

/** `uint(x)`; a double is cut towards zero. */
export function toUint(value: Value): Term {
  if (value instanceof Uint) return value;
  if (typeof value === "bigint") return uint(value);
  if (typeof value === "number") {
    return value > -1 && value < 2 * INT_LIMIT ? uint(BigInt(Math.trunc(value))) : fail("double out of range of uint");
  }
  if (typeof value === "string") return integerText(value, uint);
  return unconvertible(value, "uint");
}

/** `double(x)`. */
export function toDouble(value: Value): Term {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint) return Number(value.value);
  return typeof value === "string" ? doubleText(value) : unconvertible(value, "double");
}

/** `string(x)`. */
export function toText(value: Value, activation: Activation): Term {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (value instanceof Uint) return String(value.value);
  if (typeof value === "number") return doubleToText(value);
  if (value instanceof Timestamp) return chargeTime(activation) ? formatTimestamp(value) : OVER_STEPS;
  if (value instanceof Duration) return chargeTime(activation) ? formatDuration(value) : OVER_STEPS;
  if (!(value instanceof Uint8Array)) return unconvertible(value, "string");
  return charge(activation, value.length / STEP_CHARACTERS) ? decodeUtf8(value) : OVER_STEPS;
}

/** `bytes(x)`. */
export function toBytes(value: Value, activation: Activation): Term {
  if (value instanceof Uint8Array) return value;
  if (typeof value !== "string") return unconvertible(value, "bytes");
  return charge(activation, value.length / STEP_CHARACTERS) ? new TextEncoder().encode(value) : OVER_STEPS;
}

/** `timestamp(x)`; an int is seconds since 1970. */
export function toTimestamp(value: Value, activation: Activation): Term {
  if (value instanceof Timestamp) return value;
  if (typeof value === "bigint") return timestamp(value * 1_000_000_000n);
  if (typeof value !== "string") return unconvertible(value, "timestamp");
  return chargeTime(activation) ? parseTimestamp(value) : OVER_STEPS;
}

/** `duration(x)`. */
export function toDuration(value: Value, activation: Activation): Term {
  if (value instanceof Duration) return value;
  if (typeof value !== "string") return unconvertible(value, "duration");
  return chargeTime(activation) ? parseDuration(value) : OVER_STEPS;
}

/** `type(x)`. */
export function toType(value: Value): Term {
  return new TypeValue(typeName(value));
}

const TRUE_WORDS: ReadonlySet<string> = new Set(["1", "t", "true", "TRUE", "True"]);
const FALSE_WORDS: ReadonlySet<string> = new Set(["0", "f", "false", "FALSE", "False"]);

/** Steps of reading or writing a time. */
export const TIME_TEXT_STEPS = 10;

function chargeTime(activation: Activation): boolean {
  return charge(activation, TIME_TEXT_STEPS);
}

// Doubles near the bounds are not exact, so a double equal to a bound is refused too.
const INT_LIMIT = 2 ** 63;

/** The longest text that is read as a number. A 64-bit integer needs far fewer characters. */
const NUMBER_TEXT_LENGTH = 64;

function unconvertible(value: Value, type: string): Abnormal {
  return fail(`${typeName(value)} cannot become ${type}`);
}

function doubleToInt(value: number, least: number): Term {
  return value > least && value < INT_LIMIT ? BigInt(Math.trunc(value)) : fail("double out of range of int");
}

function integerText(text: string, make: (value: bigint) => Term): Term {
  const negative = text.startsWith("-");
  const digits = negative || text.startsWith("+") ? text.slice(1) : text;
  if (digits === "" || text.length > NUMBER_TEXT_LENGTH || !isDigits(digits)) return fail("string is not an integer");
  return make(negative ? -BigInt(digits) : BigInt(digits));
}

function doubleText(text: string): Term {
  if (text.length > NUMBER_TEXT_LENGTH) return fail("string is not a double");
  const word = text.toLowerCase();
  const unsigned = word.startsWith("+") || word.startsWith("-") ? word.slice(1) : word;
  const sign = word.startsWith("-") ? -1 : 1;
  if (unsigned === "inf" || unsigned === "infinity") return sign * Infinity;
  if (word === "nan") return NaN;
  return isDecimal(unsigned) && Number.isFinite(Number(text)) ? Number(text) : fail("string is not a double");
}

function isDecimal(text: string): boolean {
  const [mantissa = "", exponent, ...more] = text.split("e");
  const [whole = "", fraction = "", ...points] = mantissa.split(".");
  if (more.length > 0 || points.length > 0 || !isDigits(whole + fraction)) return false;
  if (exponent === undefined) return true;
  return isDigits(exponent.startsWith("+") || exponent.startsWith("-") ? exponent.slice(1) : exponent);
}

function isDigits(text: string): boolean {
  for (const character of text) {
    if (character < "0" || character > "9") return false;
  }
  return text !== "";
}

function doubleToText(value: number): string {
  if (value === Infinity) return "+Inf";
  if (value === -Infinity) return "-Inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

function decodeUtf8(bytes: Uint8Array): Term {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return fail("bytes are not UTF-8"); // a fatal decoder throws for nothing else
  }
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b < 0n ? quotient - 1n : quotient;
}
