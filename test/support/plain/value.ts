// The values of the plain evaluator: one tagged record for each type of CEL, and the two ways of having no value. Written
// for being read, from the specification alone; nothing here is shared with the engine.
import type { Json } from "../../../src/core/json.ts";

/** A value, `error` (it cannot be evaluated) or `none` (it hangs on an absent namespace). */
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

/** What cannot be evaluated. */
export const ERROR: Plain = { is: "error" };

/** What hangs on an absent namespace. */
export const NONE: Plain = { is: "none" };

/** A boolean. */
export function bool(value: boolean): Plain {
  return { is: "bool", bool: value };
}

/** An int of 64 bits, else an error. */
export function int(value: bigint): Plain {
  return value >= -(2n ** 63n) && value < 2n ** 63n ? { is: "int", int: value } : ERROR;
}

/** A uint of 64 bits, else an error. */
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

/** JSON as a value: a number without fraction within ±(2^53-1) is an int, any other a double. */
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

/** What operands that are not all values come to: an error if one is, else none. */
export function worst(terms: readonly Plain[]): Plain {
  return terms.some((term) => term.is === "error") ? ERROR : NONE;
}

/** A number as what it is compared by: an exact integer, or a double. */
function numberOf(value: Plain): bigint | number | undefined {
  if (value.is === "int" || value.is === "uint") return value.int;
  return value.is === "double" ? value.double : undefined;
}

/** Less, equal or greater, as numbers compare across types; undefined for NaN and for what has no order. */
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

/** Whether two values can be ordered at all. */
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

/** Equality: numbers across their types, everything else within its type; never fails. */
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

/** Whether a value can be the key of a map. */
export function isKey(value: Plain): boolean {
  return ["bool", "int", "uint", "string"].includes(value.is);
}

/** The value of a key of a map: undefined if it is not there. */
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
