// The functions and operators of the plain evaluator, working on code points.
import { addressFunction } from "./address.ts";
import { duration, floor, readDuration, readTimestamp, timePart, timestamp } from "./time.ts";
import { writeDuration, writeTimestamp } from "./time.ts";
import { bool, double, ERROR, int, list, type Plain, string, typeName, uint } from "./value.ts";

/** The longest text that a pattern may be matched against, in bytes of UTF-8. */
const PATTERN_TEXT_BYTES = 16 * 1024;

/** `a operator b` for the operators of arithmetic. */
export function arithmetic(operator: string, a: Plain, b: Plain): Plain {
  if (a.is === "int" && b.is === "int") return int64(operator, a.int, b.int, int);
  if (a.is === "uint" && b.is === "uint") return int64(operator, a.int, b.int, uint);
  if (a.is === "double" && b.is === "double") return float(operator, a.double, b.double);
  if (operator === "-") return difference(a, b);
  if (operator !== "+") return ERROR;
  if (a.is === "string" && b.is === "string") return string(a.text + b.text);
  if (a.is === "list" && b.is === "list") return list([...a.items, ...b.items]);
  if (a.is === "bytes" && b.is === "bytes") return { is: "bytes", bytes: [...a.bytes, ...b.bytes] };
  if (a.is === "duration" && b.is === "duration") return duration(a.nanoseconds + b.nanoseconds);
  if (a.is === "timestamp" && b.is === "duration") return timestamp(a.nanoseconds + b.nanoseconds);
  if (a.is === "duration" && b.is === "timestamp") return timestamp(a.nanoseconds + b.nanoseconds);
  return ERROR;
}

function int64(operator: string, a: bigint, b: bigint, make: (value: bigint) => Plain): Plain {
  if (operator === "+") return make(a + b);
  if (operator === "-") return make(a - b);
  if (operator === "*") return make(a * b);
  if (b === 0n) return ERROR;
  return make(operator === "/" ? a / b : a % b);
}

function float(operator: string, a: number, b: number): Plain {
  if (operator === "+") return double(a + b);
  if (operator === "-") return double(a - b);
  if (operator === "*") return double(a * b);
  return operator === "/" ? double(a / b) : ERROR;
}

function difference(a: Plain, b: Plain): Plain {
  if (a.is === "timestamp" && b.is === "timestamp") return duration(a.nanoseconds - b.nanoseconds);
  if (a.is === "timestamp" && b.is === "duration") return timestamp(a.nanoseconds - b.nanoseconds);
  if (a.is === "duration" && b.is === "duration") return duration(a.nanoseconds - b.nanoseconds);
  return ERROR;
}

/** The value of a function call; the receiver of a method is the first value. */
export function callFunction(name: string, values: readonly Plain[]): Plain {
  const [first = ERROR, second, third] = values;
  switch (name) {
    case "size":
      return size(first);
    case "type":
      return { is: "type", name: typeName(first) };
    case "bool":
    case "int":
    case "uint":
    case "double":
    case "string":
    case "bytes":
    case "timestamp":
    case "duration":
      return convert(name, first);
    case "join":
      return join(first, second ?? string(""));
  }
  const address = addressFunction(name, first, second);
  if (address !== null) return address;
  if (name.startsWith("get")) return datePart(name, first, second);
  if (first.is !== "string") return ERROR;
  const [argument, number] = [second, third].map((value) => value ?? undefined);
  return textFunction(name, first.text, argument, number);
}

function datePart(name: string, value: Plain, zone: Plain | undefined): Plain {
  if (zone === undefined) return timePart(name, value, undefined);
  return zone.is === "string" ? timePart(name, value, zone.text) : ERROR;
}

function size(value: Plain): Plain {
  switch (value.is) {
    case "string":
      return int(BigInt([...value.text].length));
    case "bytes":
      return int(BigInt(value.bytes.length));
    case "list":
      return int(BigInt(value.items.length));
    case "map":
      return int(BigInt(value.entries.length));
    default:
      return ERROR;
  }
}

function join(value: Plain, separator: Plain): Plain {
  if (value.is !== "list" || separator.is !== "string") return ERROR;
  const texts = value.items.flatMap((item) => (item.is === "string" ? [item.text] : []));
  return texts.length === value.items.length ? string(texts.join(separator.text)) : ERROR;
}

function textFunction(name: string, text: string, argument: Plain | undefined, number: Plain | undefined): Plain {
  switch (name) {
    case "lowerAscii":
      return string(text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()));
    case "upperAscii":
      return string(text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()));
    case "trim":
      return string(trim(text));
    case "charAt":
      return argument?.is === "int" ? charAt(text, argument.int) : ERROR;
    case "substring":
      return substring(text, argument, number);
  }
  if (argument?.is !== "string") return ERROR;
  const part = argument.text;
  switch (name) {
    case "startsWith":
      return bool(text.startsWith(part));
    case "endsWith":
      return bool(text.endsWith(part));
    case "contains":
      return bool(text.includes(part));
    case "matches":
      return matches(text, part);
    case "indexOf":
    case "lastIndexOf":
      return search(name, [...text], [...part], number);
    case "split":
      return split(text, part, number);
    default:
      return ERROR;
  }
}

// The white space characters of Unicode, as the strings extension of CEL lists them.
function trim(text: string): string {
  const space = "[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
  return text.replace(new RegExp(`^${space}+`, "u"), "").replace(new RegExp(`${space}+$`, "u"), "");
}

function charAt(text: string, index: bigint): Plain {
  const characters = [...text];
  if (index < 0n || index > BigInt(characters.length)) return ERROR;
  return string(characters[Number(index)] ?? "");
}

function substring(text: string, start: Plain | undefined, end: Plain | undefined): Plain {
  const characters = [...text];
  if (start?.is !== "int" || (end !== undefined && end.is !== "int")) return ERROR;
  const to = end?.int ?? BigInt(characters.length);
  if (start.int < 0n || start.int > to || to > BigInt(characters.length)) return ERROR;
  return string(characters.slice(Number(start.int), Number(to)).join(""));
}

// The patterns of generated conditions mean the same in JavaScript; the engine itself never uses its regular
// expressions.
function matches(text: string, pattern: string): Plain {
  if (new TextEncoder().encode(text).length > PATTERN_TEXT_BYTES) return ERROR;
  return bool(new RegExp(pattern.replaceAll("\\pL", "\\p{L}"), "u").test(text));
}

function search(
  name: string,
  text: readonly string[],
  part: readonly string[],
  from: Plain | undefined,
): Plain {
  if (from !== undefined && from.is !== "int") return ERROR;
  // A start index must be the index of a character; only an empty part may also start at the end.
  const last = BigInt(text.length) - (part.length === 0 ? 0n : 1n);
  if (from !== undefined && (from.int < 0n || from.int > last)) return ERROR;
  const places = Array.from({ length: text.length + 1 }, (_, at) => at).filter((at) =>
    part.every((character, index) => text[at + index] === character)
  );
  if (name === "indexOf") return int(BigInt(places.find((at) => BigInt(at) >= (from?.int ?? 0n)) ?? -1));
  return int(BigInt(places.findLast((at) => from === undefined || BigInt(at) <= from.int) ?? -1));
}

function split(text: string, separator: string, limit: Plain | undefined): Plain {
  if (limit !== undefined && limit.is !== "int") return ERROR;
  const parts = separator === "" ? [...text] : text.split(separator);
  if (parts.length === 0) parts.push("");
  const most = limit === undefined || limit.int < 0n ? parts.length : Number(limit.int);
  if (most === 0) return list([]);
  const kept = parts.slice(0, most - 1).map(string);
  return list(parts.length < most ? parts.map(string) : [...kept, string(parts.slice(most - 1).join(separator))]);
}

/** `type(value)` for the types that values can be converted to. */
function convert(type: string, value: Plain): Plain {
  if (value.is === type) return value;
  switch (type) {
    case "bool":
      return value.is === "string" ? textToBool(value.text) : ERROR;
    case "int":
      if (value.is === "timestamp") return int(floor(value.nanoseconds, 10n ** 9n));
      return value.is === "double" ? doubleToInteger(value.double, "int") : toInteger(value, int);
    case "uint":
      return value.is === "double" ? doubleToInteger(value.double, "uint") : toInteger(value, uint);
    case "double":
      if (value.is === "int" || value.is === "uint") return double(Number(value.int));
      return value.is === "string" ? textToDouble(value.text) : ERROR;
    case "string":
      return toText(value);
    case "bytes":
      return value.is === "string" ? { is: "bytes", bytes: [...new TextEncoder().encode(value.text)] } : ERROR;
    case "timestamp":
      if (value.is === "int") return timestamp(value.int * 10n ** 9n);
      return value.is === "string" ? readTimestamp(value.text) : ERROR;
    default:
      return value.is === "string" ? readDuration(value.text) : ERROR;
  }
}

function textToBool(text: string): Plain {
  if (["1", "t", "true", "TRUE", "True"].includes(text)) return bool(true);
  return ["0", "f", "false", "FALSE", "False"].includes(text) ? bool(false) : ERROR;
}

function toInteger(value: Plain, make: (value: bigint) => Plain): Plain {
  if (value.is === "int" || value.is === "uint") return make(value.int);
  if (value.is !== "string" || !/^[+-]?[0-9]{1,40}$/.test(value.text)) return ERROR;
  return make(BigInt(value.text.replace("+", "")));
}

function doubleToInteger(value: number, type: "int" | "uint"): Plain {
  const [least, limit] = type === "int" ? [-(2 ** 63), 2 ** 63] : [-1, 2 ** 64];
  return value > least && value < limit ? { is: type, int: BigInt(Math.trunc(value)) } : ERROR;
}

function textToDouble(text: string): Plain {
  const word = text.toLowerCase();
  if (/^[+-]?inf(inity)?$/.test(word)) return double(word.startsWith("-") ? -Infinity : Infinity);
  if (word === "nan") return double(NaN);
  const isDecimal = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/.test(word);
  return isDecimal && Number.isFinite(Number(word)) ? double(Number(word)) : ERROR;
}

function toText(value: Plain): Plain {
  switch (value.is) {
    case "bool":
      return string(value.bool ? "true" : "false");
    case "int":
    case "uint":
      return string(value.int.toString());
    case "double":
      return string(Object.is(value.double, -0) ? "-0" : String(value.double).replace(/^(-?)Infinity$/, infinity));
    case "timestamp":
      return string(writeTimestamp(value.nanoseconds));
    case "duration":
      return string(writeDuration(value.nanoseconds));
    case "bytes":
      return readUtf8(value.bytes);
    default:
      return ERROR;
  }
}

function infinity(_: string, sign: string): string {
  return sign === "-" ? "-Inf" : "+Inf";
}

function readUtf8(bytes: readonly number[]): Plain {
  const text = Buffer.from(bytes).toString("utf8");
  return Buffer.from(text, "utf8").equals(Buffer.from(bytes)) ? string(text) : ERROR;
}
