// The values of CEL, and the two reasons why an operation has none: an absent namespace, or a failure. An int is a bigint, a
// double a number; types that JavaScript lacks are classes. Nothing is thrown: no value and failure are terms too.
import { Cidr, IpAddress } from "../core/ip-address.ts";

/** An unsigned integer of 64 bits. */
export class Uint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** A point in time, as nanoseconds since 1970 in UTC, from year 1 to year 9999. */
export class Timestamp {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A span of time in nanoseconds, of 64 bits. */
export class Duration {
  readonly nanoseconds: bigint;
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }
}

/** A type as a value: the result of `type(x)`. */
export class TypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A map as expressions see it. */
export abstract class MapValue {
  abstract readonly size: number;
  /** The value of a key, or undefined. */
  abstract get(key: Value): Value | undefined;
  /** The keys in their order. */
  abstract keys(): readonly Value[];
}

/** A list of values. */
export type ListValue = readonly Value[];

/** Everything a CEL expression can evaluate to. */
export type Value =
  | null
  | boolean
  | bigint
  | Uint
  | number
  | string
  | Uint8Array
  | Timestamp
  | Duration
  | IpAddress
  | Cidr
  | TypeValue
  | ListValue
  | MapValue;

/** The reason why there is no value: a failure, or `NO_VALUE`. */
export class Abnormal {
  readonly reason: string;
  /** Text within the reason that the context may have given, exactly as it is written there; null if there is none. */
  readonly foreign: string | null;
  constructor(reason: string, foreign: string | null = null) {
    this.reason = reason;
    this.foreign = foreign;
  }
}

/** The term for a field of an absent namespace (S003-EC-002); it is not a failure. */
export const NO_VALUE: Abnormal = new Abnormal("an absent namespace");

/** The result of a step: a value, no value, or a failure. */
export type Term = Value | Abnormal;

/** Makes a failure. */
export function fail(reason: string, foreign: string | null = null): Abnormal {
  return new Abnormal(reason, foreign);
}

/** The name of a value's type as CEL spells it. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return "double";
    case "string":
      return "string";
    case "object":
      break;
  }
  if (value === null) return "null_type";
  if (value instanceof Uint) return "uint";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof Timestamp) return "google.protobuf.Timestamp";
  if (value instanceof Duration) return "google.protobuf.Duration";
  if (value instanceof IpAddress) return "net.IP";
  if (value instanceof Cidr) return "net.CIDR";
  if (value instanceof TypeValue) return "type";
  return isList(value) ? "list" : "map";
}

/** Whether a term is a list. */
export function isList(term: Term): term is ListValue {
  return Array.isArray(term);
}

/** The names of types that an expression can use as values. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "int",
  "list",
  "map",
  "null_type",
  "string",
  "type",
  "uint",
  "google.protobuf.Duration",
  "google.protobuf.Timestamp",
]);

/**
 * Combines two terms that have no value. A failure wins over NO_VALUE: otherwise making a part of a block rule fail could
 * turn its block into no match. `!(x && absent)` is true if x is false, so if x fails it must fail too.
 */
export function worse(a: Abnormal, b: Abnormal): Abnormal {
  return a === NO_VALUE ? b : a;
}
