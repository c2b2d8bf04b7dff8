// Strings as sequences of code points: sizes, indexes and parts, in linear time and without regular expressions.

/** How many code points a string has. */
export function sizeOf(text: string): number {
  let size = text.length;
  for (let at = 0; at < text.length; at++) {
    if (isPair(text, at)) {
      size--;
      at++;
    }
  }
  return size;
}

/** The UTF-16 offset of a code point, or undefined when the string has fewer than `index`. */
export function offsetOf(text: string, index: number): number | undefined {
  let at = 0;
  for (let count = 0; count < index; count++) {
    if (at >= text.length) return undefined;
    at += isPair(text, at) ? 2 : 1;
  }
  return at;
}

/** How many code points stand before a UTF-16 offset. */
export function indexOf(text: string, offset: number): number {
  let count = 0;
  for (let at = 0; at < offset; at++) {
    if (isPair(text, at)) at++;
    count++;
  }
  return count;
}

/** The code point at a UTF-16 offset, as a string. */
export function characterAt(text: string, offset: number): string {
  return text.slice(offset, offset + (isPair(text, offset) ? 2 : 1));
}

/** Changes the letters `A` to `Z` to lower case, and no other character. */
export function lowerAscii(text: string): string {
  return mapUnits(text, 0x41, 0x5a, 0x20);
}

/** Changes the letters `a` to `z` to upper case, and no other character. */
export function upperAscii(text: string): string {
  return mapUnits(text, 0x61, 0x7a, -0x20);
}

/** Removes the Unicode white space at both ends. */
export function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++;
  while (end > start && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function mapUnits(text: string, first: number, last: number, by: number): string {
  let out = "";
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < first || unit > last) continue;
    out += text.slice(copied, at) + String.fromCharCode(unit + by);
    copied = at + 1;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

function isPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

function isWhiteSpace(unit: number): boolean {
  return (unit >= 0x09 && unit <= 0x0d) || (unit >= 0x2000 && unit <= 0x200a) || WHITE_SPACE.has(unit);
}

const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);
