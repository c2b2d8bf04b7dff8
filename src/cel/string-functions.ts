// The string functions. Indexes count code points. Work is charged by the length of the text before it is done.
import type { Activation } from "./activation.ts";
import { charge, OVER_STEPS } from "./arithmetic.ts";
import { STEP_CHARACTERS } from "./limits.ts";
import { characterAt, indexOf, offsetOf, sizeOf } from "./code-points.ts";
import { fail, isList, type Term, typeName, type Value } from "./value.ts";

/** `text.charAt(index)`; at the end of the text, the empty string. */
export function charAt(text: string, index: bigint, activation: Activation): Term {
  if (!chargeText(activation, text)) return OVER_STEPS;
  const offset = offsetAt(text, index);
  return offset === undefined ? outOfRange(index) : characterAt(text, offset);
}

/** `text.substring(start)` and `text.substring(start, end)`. */
export function substring(text: string, start: bigint, end: bigint | undefined, activation: Activation): Term {
  if (!chargeText(activation, text)) return OVER_STEPS;
  const from = offsetAt(text, start);
  const to = end === undefined ? text.length : offsetAt(text, end);
  if (from === undefined) return outOfRange(start);
  if (to === undefined) return outOfRange(end ?? 0n);
  return from <= to ? text.slice(from, to) : fail(`substring ends before it begins: ${start}, ${end}`);
}

/** `text.indexOf(part)` and `text.indexOf(part, from)`; -1 if the part does not occur. */
export function firstIndex(text: string, part: string, from: bigint | undefined, activation: Activation): Term {
  if (!chargeSearch(activation, text, part)) return OVER_STEPS;
  const offset = from === undefined ? 0 : offsetAt(text, from);
  if (offset === undefined || (offset === text.length && from !== undefined && part !== "")) {
    return outOfRange(from ?? 0n);
  }
  const found = text.indexOf(part, offset);
  return found < 0 ? -1n : BigInt(indexOf(text, found));
}

/** `text.lastIndexOf(part)` and `text.lastIndexOf(part, from)`; -1 if the part does not occur. */
export function lastIndex(text: string, part: string, from: bigint | undefined, activation: Activation): Term {
  if (!chargeSearch(activation, text, part)) return OVER_STEPS;
  const offset = from === undefined ? text.length : offsetAt(text, from);
  if (offset === undefined || (offset === text.length && from !== undefined && part !== "")) {
    return outOfRange(from ?? 0n);
  }
  const found = text.lastIndexOf(part, offset);
  return found < 0 ? -1n : BigInt(indexOf(text, found));
}

/** `text.contains(part)`. */
export function contains(text: string, part: string, activation: Activation): Term {
  return chargeSearch(activation, text, part) ? text.includes(part) : OVER_STEPS;
}

/** `text.split(separator)`; a limit that is not negative is the most parts. */
export function split(text: string, separator: string, limit: bigint, activation: Activation): Term {
  if (!chargeSearch(activation, text, separator)) return OVER_STEPS;
  const most = limit < 0n ? Infinity : Number(limit);
  if (most === 0) return [];
  const parts: string[] = [];
  let at = 0;
  while (parts.length + 1 < most) {
    const end = endOfPart(text, separator, at);
    if (end === undefined) break;
    if (!charge(activation, 1)) return OVER_STEPS;
    parts.push(text.slice(at, end));
    at = end + separator.length;
  }
  parts.push(text.slice(at));
  return parts;
}

/** `list.join(separator)`. */
export function join(list: Value, separator: string, activation: Activation): Term {
  if (!isList(list)) return fail(`${typeName(list)} cannot be joined`);
  if (!charge(activation, list.length)) return OVER_STEPS;
  const texts: string[] = [];
  let length = 0;
  for (const element of list) {
    if (typeof element !== "string") return fail(`${typeName(element)} cannot be joined`);
    length += element.length + separator.length;
    texts.push(element);
  }
  return charge(activation, length / STEP_CHARACTERS) ? texts.join(separator) : OVER_STEPS;
}

/** `text.size()`. */
export function textSize(text: string, activation: Activation): Term {
  return chargeText(activation, text) ? BigInt(sizeOf(text)) : OVER_STEPS;
}

/** Charges one pass over a text. */
export function chargeText(activation: Activation, text: string): boolean {
  return charge(activation, text.length / STEP_CHARACTERS);
}

// A search can take time proportional to the product of both lengths.
const SEARCHED_CHARACTERS = 16;

function chargeSearch(activation: Activation, text: string, part: string): boolean {
  return charge(activation, (text.length / STEP_CHARACTERS) * Math.ceil((part.length + 1) / SEARCHED_CHARACTERS));
}

// Returns the end of the part that begins at `at`, or undefined for the last part.
function endOfPart(text: string, separator: string, at: number): number | undefined {
  if (separator === "") {
    const end = at + characterAt(text, at).length;
    return end < text.length ? end : undefined;
  }
  const end = text.indexOf(separator, at);
  return end < 0 ? undefined : end;
}

function offsetAt(text: string, index: bigint): number | undefined {
  return index < 0n || index > BigInt(text.length) ? undefined : offsetOf(text, Number(index));
}

function outOfRange(index: bigint): Term {
  return fail(`index out of range: ${index}`);
}
