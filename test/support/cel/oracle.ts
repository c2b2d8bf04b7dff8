// The oracle of differential tests: @bufbuild/cel without type checking. Its string functions are replaced by plain
// ones on arrays of code points, because its own count UTF-16 units. Results are texts.
import {
  celEnv,
  type CelFunc,
  type CelInput,
  celList,
  celMethod,
  CelScalar,
  celUint,
  type CelValue,
  isCelError,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
  listType,
  parse,
  plan,
} from "@bufbuild/cel";
import { isMessage } from "@bufbuild/protobuf";
import { DurationSchema, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { isList, MapValue, Uint, type Value } from "../../../src/cel/value.ts";

const { STRING, INT, DYN } = CelScalar;
const TEXTS = listType(STRING);

/** An oracle with these variables. It returns the value of an expression as text, or "error". */
export function createOracle(values: ReadonlyMap<string, Value>): (text: string) => string {
  const variables = Object.fromEntries([...values.keys()].map((name) => [name, DYN]));
  const bindings = Object.fromEntries([...values].map(([name, value]) => [name, encode(value)]));
  const environment = celEnv({ variables, funcs: STRING_FUNCTIONS });
  return (text) => {
    try {
      const result = plan(environment, parse(apart(text)))(bindings);
      return isCelError(result) ? "error" : describe(result);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      return "error"; // it throws for names that it does not know
    }
  };
}

// The library's parser reads the minus before a uint as the start of an int and fails at the `u`, so this puts a space
// between.
function apart(text: string): string {
  return text.replace(MINUS_UINT, (token) => token === "-" ? "- " : token);
}

// The pattern matches string literals as a whole, so that nothing inside them is changed.
const MINUS_UINT = /"(?:[^"\\]|\\.)*"|-(?=\d+u)/g;

function encode(value: Value): CelInput {
  if (value instanceof Uint) return celUint(value.value);
  if (value instanceof MapValue) {
    const map = new Map<string, CelInput>();
    for (const key of value.keys()) map.set(String(key), encode(value.get(key) ?? null));
    return map;
  }
  if (isList(value)) return value.map(encode);
  if (typeof value === "object" && value !== null && !(value instanceof Uint8Array)) throw new Error("not encoded");
  return value;
}

// Gives the same text as describeValue.
function describe(value: CelValue): string {
  if (isCelUint(value)) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b[${value.join(",")}]`;
  if (isCelList(value)) return `[${[...value].map(describe).join(",")}]`;
  if (isCelMap(value)) {
    return `{${[...value].map(([key, member]) => `${describe(key)}:${describe(member)}`).toSorted().join(",")}}`;
  }
  if (isCelType(value)) return `type(${value.name})`;
  if (typeof value === "number") return `${value === 0 ? 0 : value}d`;
  if (typeof value === "bigint") return String(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const { message } = value;
  if (isMessage(message, TimestampSchema) || isMessage(message, DurationSchema)) {
    const nanoseconds = message.seconds * 1_000_000_000n + BigInt(message.nanos);
    return `${isMessage(message, TimestampSchema) ? "timestamp" : "duration"}(${nanoseconds})`;
  }
  return "a message";
}

function points(text: string): readonly string[] {
  return Array.from(text);
}

function within(index: bigint, size: number): number {
  if (index < 0n || index > BigInt(size)) throw new Error("index out of range");
  return Number(index);
}

// The indexes at which a part occurs.
function places(text: string, part: string): readonly number[] {
  const all = points(text);
  const wanted = points(part);
  return Array.from({ length: all.length + 1 }, (_, at) => at)
    .filter((at) => at + wanted.length <= all.length && wanted.every((point, step) => all[at + step] === point));
}

function substring(text: string, start: bigint, end?: bigint): string {
  const all = points(text);
  const to = end === undefined ? all.length : within(end, all.length);
  const from = within(start, all.length);
  if (from > to) throw new Error("ends before it begins");
  return all.slice(from, to).join("");
}

function split(text: string, separator: string, limit: bigint): readonly string[] {
  const parts = separator === "" ? points(text) : text.split(separator);
  if (limit === 0n) return [];
  if (limit < 0n || parts.length <= limit) return separator === "" && parts.length === 0 ? [""] : parts;
  const kept = Number(limit) - 1;
  return [...parts.slice(0, kept), parts.slice(kept).join(separator)];
}

function mapCharacters(text: string, first: string, last: string, by: number): string {
  return points(text).map((point) =>
    point >= first && point <= last && point.length === 1 ? String.fromCharCode(point.charCodeAt(0) + by) : point
  ).join("");
}

const STRING_FUNCTIONS: CelFunc[] = [
  celMethod("charAt", STRING, [INT], STRING, function (index) {
    return points(this)[within(index, points(this).length)] ?? "";
  }),
  celMethod("indexOf", STRING, [STRING], INT, function (part) {
    return BigInt(places(this, part).at(0) ?? -1);
  }),
  celMethod("lastIndexOf", STRING, [STRING], INT, function (part) {
    return BigInt(places(this, part).at(-1) ?? -1);
  }),
  celMethod("substring", STRING, [INT], STRING, function (start) {
    return substring(this, start);
  }),
  celMethod("substring", STRING, [INT, INT], STRING, function (start, end) {
    return substring(this, start, end);
  }),
  celMethod("split", STRING, [STRING], TEXTS, function (separator) {
    return celList(split(this, separator, -1n));
  }),
  celMethod("split", STRING, [STRING, INT], TEXTS, function (separator, limit) {
    return celList(split(this, separator, limit));
  }),
  celMethod("join", listType(DYN), [], STRING, function () {
    return joinTexts([...this], "");
  }),
  celMethod("join", listType(DYN), [STRING], STRING, function (separator) {
    return joinTexts([...this], separator);
  }),
  celMethod("lowerAscii", STRING, [], STRING, function () {
    return mapCharacters(this, "A", "Z", 32);
  }),
  celMethod("upperAscii", STRING, [], STRING, function () {
    return mapCharacters(this, "a", "z", -32);
  }),
  celMethod("trim", STRING, [], STRING, function () {
    return this.replace(/^[\s\u0085]+|[\s\u0085]+$/g, "");
  }),
];

function joinTexts(texts: readonly CelValue[], separator: string): string {
  if (!texts.every((text) => typeof text === "string")) throw new Error("only texts are joined");
  return texts.join(separator);
}
