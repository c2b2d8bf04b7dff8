// Reads the scalars of simple YAML, by YAML 1.2 core; null for every scalar whose type needs a closer look.
import { decodeBlock } from "./scalar-block.ts";
import { decodeDouble } from "./scalar-flow.ts";

/** A scalar's value, its value as text, and its length in the file. */
export type SimpleValue = { readonly value: boolean | number | string; readonly text: string; readonly length: number };

/** Reads a quoted scalar that ends before `end`. */
export function quotedValue(text: string, at: number, end: number): SimpleValue | null {
  return text.charAt(at) === "'" ? singleValue(text, at, end) : doubleValue(text, at, end);
}

function singleValue(text: string, at: number, end: number): SimpleValue | null {
  let close = text.indexOf("'", at + 1);
  while (close !== -1 && text.charAt(close + 1) === "'") close = text.indexOf("'", close + 2);
  if (close === -1 || close >= end) return null;
  const inner = text.slice(at + 1, close);
  const value = inner.includes("'") ? inner.replaceAll("''", "'") : inner;
  return { value, text: value, length: close + 1 - at };
}

function doubleValue(text: string, at: number, end: number): SimpleValue | null {
  DOUBLE.lastIndex = at;
  const raw = DOUBLE.exec(text)?.[0];
  if (raw === undefined || at + raw.length > end) return null;
  const value = raw.includes("\\") ? decodeDouble(raw).text : raw.slice(1, -1);
  return { value, text: value, length: raw.length };
}

// Only escapes that always stand for one character.
const DOUBLE = /"(?:[^"\\\n]|\\["\\/nt])*"/y;

/** Reads a plain scalar at the start of a line; it ends with the line, a comment, or the flow collection around it. */
export function plainValue(line: string, inFlow: boolean): SimpleValue | null {
  const end = inFlow ? line.search(FLOW_INDICATOR) : line.indexOf(" #");
  const text = trimSpaces(end === -1 ? line : line.slice(0, end));
  if (!PLAIN.test(text) || NOT_PLAIN.test(text)) return null;
  const [length, first] = [text.length, text.charCodeAt(0)];
  if (first >= DIGIT_0 && first <= DIGIT_9) {
    if (INTEGER.test(text)) return { value: Number(text), text, length };
    return IN_NUMBERS.test(text) ? null : { value: text, text, length };
  }
  if (text === "true" || text === "false") return { value: text === "true", text, length };
  return WORD_VALUE.test(text) ? null : { value: text, text, length };
}

const [DIGIT_0, DIGIT_9] = [0x30, 0x39];
const FLOW_INDICATOR = /[,[\]{}]/;
const PLAIN = /^[A-Za-z0-9_/$(][\x20-\x7e]*$/;
// A colon at the end or before a space would make it a key; a number sign after a space begins a comment.
const NOT_PLAIN = /:(?: |$)| #/;
const INTEGER = /^(?:0|[1-9][0-9]{0,14})$/;
const IN_NUMBERS = /^[0-9a-fA-FoOxX._eE+-]*$/;
const WORD_VALUE = /^(?:null|true|false)$/i;

/** The start of a literal block: its header, the line after it, and the indentation of its parent. */
export type LiteralStart = { readonly header: string; readonly from: number; readonly indent: number };

/** A literal block: its value, its lines as written, and their number. */
export type SimpleLiteral = { readonly text: string; readonly raw: string; readonly lines: number };

/** Reads a literal block whose first line is not blank and whose other lines are indented at least as deep. */
export function literalValue(text: string, { header, from, indent }: LiteralStart): SimpleLiteral | null {
  if (header !== "|" && header !== "|-") return null;
  let [end, lines, blank, width] = [from, 0, 0, 0];
  for (let start = from; start < text.length;) {
    const feed = text.indexOf("\n", start);
    if (feed === -1) return null;
    const inner = indentAt(text, start);
    if (start + inner < feed) {
      if (inner <= indent) break;
      if (end === from) width = inner;
      if (inner < width) return null;
      lines += blank + 1;
      blank = 0;
      end = feed + 1;
    } else if (inner > 0 || end === from) {
      return null;
    } else {
      blank++;
    }
    start = feed + 1;
  }
  const raw = text.slice(from, end);
  return lines === 0 ? null : { text: decodeBlock(raw, header, indent).text, raw, lines };
}

function indentAt(text: string, start: number): number {
  let at = start;
  while (text.charAt(at) === " ") at++;
  return at - start;
}

function trimSpaces(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === " ") end--;
  return text.slice(0, end);
}
