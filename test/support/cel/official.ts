// The official conformance cases of CEL (@bufbuild/cel-spec) that do not use protocol buffers, with their values as the
// engine's values.
import { tests as suite } from "@bufbuild/cel-spec/testdata/conformance.js";
import { EntryMap } from "../../../src/cel/map-value.ts";
import { Duration, isList, MapValue, Timestamp, TypeValue, Uint, type Value } from "../../../src/cel/value.ts";

/** A value as the cases write it: a protobuf `cel.expr.Value` in JSON. */
export type OfficialValue = { readonly [kind: string]: unknown };

/** One case; if it has neither `value` nor `evalError`, the expression must be true. */
export type OfficialCase = {
  readonly id: string;
  readonly section: string;
  readonly expr: string;
  readonly value?: OfficialValue;
  readonly evalError?: unknown;
  readonly bindings?: Readonly<Record<string, { readonly value: OfficialValue }>>;
  readonly typeEnv?: readonly { readonly name: string }[];
};

/** The sections of core CEL. */
const CORE_SECTIONS: readonly string[] = [
  "basic",
  "comparisons",
  "conversions",
  "fields",
  "fp_math",
  "integer_math",
  "lists",
  "logic",
  "macros",
  "namespace",
  "parse",
  "plumbing",
  "string",
  "timestamps",
];

/** The groups of `string_ext` whose functions conditions can use. */
const STRING_GROUPS: readonly string[] = [
  "char_at",
  "index_of",
  "last_index_of",
  "ascii_casing",
  "split",
  "substring",
  "trim",
  "join",
];

// Matches cases that need messages, enums or wrappers.
const PROTOBUF = /TestAllTypes|objectValue|messageType|proto[23]|GlobalEnum|enumValue|wrapper/;

function needsProtobuf(original: { readonly expr: string }): boolean {
  return PROTOBUF.test(JSON.stringify(original)) || original.expr.includes("google.protobuf.");
}

/** The cases of the core sections without protocol buffers. */
export function coreCases(): readonly OfficialCase[] {
  return allCases().filter(({ section }) => CORE_SECTIONS.includes(section));
}

/** The cases of the string functions that conditions can use. */
export function stringCases(): readonly OfficialCase[] {
  const offered = /\.(charAt|indexOf|lastIndexOf|lowerAscii|upperAscii|split|substring|trim|join)\(/;
  return allCases().filter(({ section, id, expr }) => {
    if (section !== "string_ext") return false;
    const group = id.split("/")[1] ?? "";
    return STRING_GROUPS.includes(group) || (group.endsWith("_errors") && offered.test(expr));
  });
}

function allCases(): readonly OfficialCase[] {
  const cases: OfficialCase[] = [];
  const seen = new Map<string, number>();
  for (const section of suite.suites ?? []) {
    for (const group of section.suites ?? []) {
      for (const { original } of group.tests ?? []) {
        if (needsProtobuf(original)) continue;
        const name = `${section.name}/${group.name}/${original.name}`;
        const count = (seen.get(name) ?? 0) + 1;
        seen.set(name, count);
        // Some names occur twice in a group.
        const id = count === 1 ? name : `${name}#${count}`;
        cases.push({ ...original, id, section: section.name } as OfficialCase);
      }
    }
  }
  return cases;
}

/** The value of a case as a value of the engine. */
export function decodeValue(value: OfficialValue): Value {
  const [[kind, content] = []] = Object.entries(value);
  switch (kind) {
    case "nullValue":
      return null;
    case "boolValue":
      return content === true;
    case "int64Value":
      return BigInt(String(content));
    case "uint64Value":
      return new Uint(BigInt(String(content)));
    case "doubleValue":
      return Number(content);
    case "stringValue":
      return String(content);
    case "bytesValue":
      return Uint8Array.from(atob(String(content)), (character) => character.charCodeAt(0));
    case "typeValue":
      return new TypeValue(String(content));
    case "listValue":
      return ((content as { values?: OfficialValue[] }).values ?? []).map(decodeValue);
    case "mapValue": {
      const map = new EntryMap();
      const { entries = [] } = content as { entries?: { key: OfficialValue; value: OfficialValue }[] };
      for (const entry of entries) map.add(decodeValue(entry.key), decodeValue(entry.value));
      return map;
    }
    default:
      throw new Error(`unknown kind of value: ${kind}`);
  }
}

/**
 * A value as text, for comparison and for messages. Two values have the same text only if they have the same type and
 * are equal.
 */
export function describeValue(value: Value): string {
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b[${value.join(",")}]`;
  if (value instanceof Timestamp) return `timestamp(${value.nanoseconds})`;
  if (value instanceof Duration) return `duration(${value.nanoseconds})`;
  if (value instanceof TypeValue) return `type(${value.name})`;
  if (value instanceof MapValue) {
    const entries = value.keys().map((key) => `${describeValue(key)}:${describeValue(value.get(key) ?? null)}`);
    return `{${entries.toSorted().join(",")}}`;
  }
  if (isList(value)) return `[${value.map(describeValue).join(",")}]`;
  if (typeof value === "number") return `${value === 0 ? 0 : value}d`;
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
