// Reads and writes literals. Bytes literals are decoded here, because the library truncates characters beyond one byte. Each
// value has one canonical spelling in printable ASCII, which parses to the same value.
import type { LiteralValue } from "./tree.ts";
import { Uint } from "./value.ts";

/** Decodes a bytes literal, with its prefix and quotes, that the library has accepted. */
export function decodeBytes(literal: string): Uint8Array {
  const quoteAt = 1;
  const quote = literal.charAt(quoteAt);
  const triple = literal.length >= 7 && literal.startsWith(quote.repeat(3), quoteAt);
  const body = literal.slice(quoteAt + (triple ? 3 : 1), triple ? -3 : -1);
  const bytes: number[] = [];
  for (let at = 0; at < body.length;) {
    const character = String.fromCodePoint(body.codePointAt(at) ?? 0);
    if (character !== "\\") {
      bytes.push(...new TextEncoder().encode(character));
      at += character.length;
      continue;
    }
    const [byte, length] = decodeEscape(body, at + 1);
    bytes.push(byte);
    at += 1 + length;
  }
  return Uint8Array.from(bytes);
}

const NAMED_ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

function decodeEscape(body: string, at: number): readonly [byte: number, length: number] {
  const character = body.charAt(at);
  if (character === "x" || character === "X") return [Number.parseInt(body.slice(at + 1, at + 3), 16), 3];
  if (character >= "0" && character <= "7") return [Number.parseInt(body.slice(at, at + 3), 8), 3];
  return [NAMED_ESCAPES[character] ?? character.charCodeAt(0), 1];
}

/** Formats a literal as its canonical text. */
export function formatLiteral(value: LiteralValue): string {
  switch (typeof value) {
    case "string":
      return formatString(value);
    case "number":
      return formatDouble(value);
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      break;
  }
  if (value === null) return "null";
  return value instanceof Uint ? `${value.value}u` : formatBytes(value);
}

function formatDouble(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function formatString(value: string): string {
  if (AS_IT_IS.test(value)) return `"${value}"`;
  let out = '"';
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x20 && code < 0x7f) out += QUOTED.has(character) ? `\\${character}` : character;
    else if (code <= 0xffff) out += `\\u${code.toString(16).padStart(4, "0")}`;
    else out += `\\U${code.toString(16).padStart(8, "0")}`;
  }
  return `${out}"`;
}

function formatBytes(value: Uint8Array): string {
  let out = 'b"';
  for (const byte of value) {
    const character = String.fromCharCode(byte);
    if (byte >= 0x20 && byte < 0x7f) out += QUOTED.has(character) ? `\\${character}` : character;
    else out += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return `${out}"`;
}

// Most texts have nothing to escape.
const AS_IT_IS = /^[ !#-[\]-~]*$/;

const QUOTED: ReadonlySet<string> = new Set(['"', "\\"]);
