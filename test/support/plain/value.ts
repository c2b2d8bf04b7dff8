// The values of the plain evaluator: a tagged record for each CEL type, and two tags for "no value". Written to be easy
// to read, from the specification only; shares no code with the engine.
import type { Json } from "../../../src/core/json.ts";

/** A value, `error` (it cannot be evaluated) or `none` (it depends on an absent namespace). */
export type Plain =
  | { readonly is: "null" }
  | { readonly is: "bool"; readonly bool: boolean }
  | { readonly is: "int"; readonly int: bigint }
  | { readonly is: "uint"; readonly int: bigint }
  | { readonly is: "double"; readonly double: number }
  | { readonly is: "string"; readonly text: string }
  | { readonly is: "bytes"; readonly bytes: readonly number[] }
  | { readonly is: "list"; readonly items: readonly Plain[] }
  | { readonly is: "map"; readonly entries: readonly PlainEntry[] }
  | { readonly is: "type"; readonly name: string }
  | { readonly is: "ip"; readonly bits: string }
  | { readonly is: "cidr"; readonly bits: string; readonly length: number }
  | { readonly is: "timestamp"; readonly nanoseconds: bigint }
  | { readonly is: "duration"; readonly nanoseconds: bigint }
  | { readonly is: "error" }
  | { readonly is: "none" };

/** One entry of a map. */
export type PlainEntry = { readonly key: Plain; readonly value: Plain };

/** The result of an evaluation that failed. */
export const ERROR: Plain = { is: "error" };

/** The result of an expression that depends on an absent namespace. */
export const NONE: Plain = { is: "none" };

/** A boolean. */
export function bool(value: boolean): Plain {
  return { is: "bool", bool: value };
}

/** An int, or an error if it does not fit into 64 bits. */
export function int(value: bigint): Plain {
  return value >= -(2n ** 63n) && value < 2n ** 63n ? { is: "int", int: value } : ERROR;
}

/** A uint, or an error if it does not fit into 64 bits. */
export function uint(value: bigint): Plain {
  return value >= 0n && value < 2n ** 64n ? { is: "uint", int: value } : ERROR;
}

/** A double. */
export function double(value: number): Plain {
  return { is: "double", double: value };
}

/** A string. */
export function string(text: string): Plain {
  return { is: "string", text };
}

/** A list. */
export function list(items: readonly Plain[]): Plain {
  return { is: "list", items };
}

/** JSON as a value: a number without fraction within ±(2^53-1) is an int, any other number a double. */
export function fromJson(json: Json): Plain {
  if (json === null) return { is: "null" };
  if (typeof json === "boolean") return bool(json);
  if (typeof json === "string") return string(json);
  if (typeof json === "number") return Number.isSafeInteger(json) ? int(BigInt(json)) : double(json);
  if (Array.isArray(json)) return list(json.map((item: Json) => fromJson(item)));
  return {
    is: "map",
    entries: Object.entries(json).map(([key, item]) => ({ key: string(key), value: fromJson(item) })),
  };
}

/** Whether it is neither `error` nor `none`. */
export function isValue(term: Plain): boolean {
  return term.is !== "error" && term.is !== "none";
}

/** The result if not all operands are values: an error if one operand is an error, otherwise none. */
export function worst(terms: readonly Plain[]): Plain {
  return terms.some((term) => term.is === "error") ? ERROR : NONE;
}

/** A number in the form that is compared: an exact integer, or a double. */
function numberOf(value: Plain): bigint | number | undefined {
  if (value.is === "int" || value.is === "uint") return value.int;
  return value.is === "double" ? value.double : undefined;
}

/** Less, equal or greater, comparing numbers across types; undefined for NaN and for types without an order. */
export function order(a: Plain, b: Plain): -1 | 0 | 1 | undefined {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (x !== undefined && y !== undefined) {
    const exact = typeof x === "bigint" && typeof y === "bigint";
    return sign(exact ? x : Number(x), exact ? y : Number(y));
  }
  if (a.is === "bool" && b.is === "bool") return sign(Number(a.bool), Number(b.bool));
  if (a.is === "string" && b.is === "string") return orderAll(codePoints(a.text), codePoints(b.text));
  if (a.is === "bytes" && b.is === "bytes") return orderAll(a.bytes, b.bytes);
  if (a.is === "timestamp" && b.is === "timestamp") return sign(a.nanoseconds, b.nanoseconds);
  if (a.is === "duration" && b.is === "duration") return sign(a.nanoseconds, b.nanoseconds);
  return undefined;
}

/** Whether two values can be ordered. */
export function hasOrder(a: Plain, b: Plain): boolean {
  if (numberOf(a) !== undefined) return numberOf(b) !== undefined;
  return a.is === b.is && ["bool", "string", "bytes", "timestamp", "duration"].includes(a.is);
}

function sign<T extends bigint | number>(a: T, b: T): -1 | 0 | 1 | undefined {
  return a < b ? -1 : a > b ? 1 : a === b ? 0 : undefined;
}

function orderAll(a: readonly number[], b: readonly number[]): -1 | 0 | 1 | undefined {
  const at = a.findIndex((item, index) => item !== b[index]);
  const other = at < 0 ? undefined : b[at];
  if (at < 0 || other === undefined) return sign(a.length, b.length);
  return sign(a[at] ?? 0, other);
}

function codePoints(text: string): readonly number[] {
  return [...text].map((character) => character.codePointAt(0) ?? 0);
}

/** Equality: numbers are compared across types, everything else within its type. It never fails. */
export function equal(a: Plain, b: Plain): boolean {
  if (hasOrder(a, b)) return order(a, b) === 0;
  if (a.is === "null") return b.is === "null";
  if (a.is === "ip" && b.is === "ip") return a.bits === b.bits;
  if (a.is === "cidr" && b.is === "cidr") return a.bits === b.bits && a.length === b.length;
  if (a.is === "type" && b.is === "type") return a.name === b.name;
  if (a.is === "list" && b.is === "list") {
    return a.items.length === b.items.length && a.items.every((item, at) => equal(item, b.items[at] ?? NONE));
  }
  if (a.is !== "map" || b.is !== "map" || a.entries.length !== b.entries.length) return false;
  return a.entries.every(({ key, value }) => {
    const other = b.entries.find((entry) => equal(entry.key, key));
    return other !== undefined && equal(value, other.value);
  });
}

/** Whether a value can be a map key. */
export function isKey(value: Plain): boolean {
  return ["bool", "int", "uint", "string"].includes(value.is);
}

/** The value of a map key; undefined if the key is missing. */
export function valueOf(entries: readonly PlainEntry[], key: Plain): Plain | undefined {
  return entries.find((entry) => equal(entry.key, key))?.value;
}

/** The name of a value's type. */
export function typeName(value: Plain): string {
  switch (value.is) {
    case "null":
      return "null_type";
    case "timestamp":
      return "google.protobuf.Timestamp";
    case "duration":
      return "google.protobuf.Duration";
    case "ip":
      return "net.IP";
    case "cidr":
      return "net.CIDR";
    default:
      return value.is;
  }
}
