// Measures the classes of a pattern: `[...]`, `\d`, `\pL`. RE2 builds each class once, range by range, or character by
// character where case is ignored. Each instruction for a class then holds its ranges.

/** A class in the text of a pattern. */
export type PatternClass = {
  /** Its length in code units. */
  readonly length: number;
  /** The cost of building it once, in instructions. */
  readonly build: number;
  /** The cost of each copy that a repetition makes, in instructions; at most `build`. */
  readonly copy: number;
};

/** Measures the class that begins at an offset with `[`. With `folds`, case is ignored. */
export function classAt(source: string, start: number, folds: boolean): PatternClass {
  let at = start + 1;
  if (source.charAt(at) === "^") at++;
  let [build, ranges] = [0, 0];
  for (let first = true; at < source.length && (first || source.charAt(at) !== "]"); first = false) {
    const item = itemAt(source, at, folds);
    at += item.length;
    build += item.build;
    ranges += item.ranges;
  }
  return { length: Math.min(at + 1, source.length) - start, ...charged(build, ranges) };
}

/** Measures the escape at an offset outside of brackets: a class such as `\d` or `\pL`, or a character. */
export function escapeAt(source: string, at: number, folds: boolean): PatternClass {
  const named = namedAt(source, at, folds);
  if (named !== null) return { length: named.length, ...charged(named.build, named.ranges) };
  return { length: characterAt(source, at).length, build: 1, copy: 1 };
}

/** A part of a class: its length in the text, the cost of building it, and the most ranges that it becomes. */
type Item = { readonly length: number; readonly build: number; readonly ranges: number };

/** The cost of building a Unicode class such as `\pL`, and the most ranges that such a class has. */
const UNICODE_CLASS = 300;
const UNICODE_RANGES = 800;

/** The width of the widest ASCII class, and the most ranges that such a class becomes when case is ignored. */
const ASCII_CLASS = 128;
const ASCII_RANGES = 8;

/** The number of ranges that cost as much as one instruction, to build and to keep. */
const RANGES_PER_INSTRUCTION = 8;

/** The length of the longest name of an ASCII class, with its brackets. */
const ASCII_NAME_LENGTH = 11;

const LAST_CHARACTER = 0x10ffff;

function charged(build: number, ranges: number): { readonly build: number; readonly copy: number } {
  const copy = Math.max(1, Math.ceil(ranges / RANGES_PER_INSTRUCTION));
  return { copy, build: Math.max(copy, Math.ceil(build)) };
}

function itemAt(source: string, at: number, folds: boolean): Item {
  const named = namedAt(source, at, folds);
  if (named !== null) return named;
  // RE2 searches the rest of the pattern for the end of this name, so it counts more than a plain character.
  if (source.startsWith("[:", at)) return { length: 1, build: 1, ranges: 1 };
  const first = characterAt(source, at);
  const dash = at + first.length;
  if (source.charAt(dash) !== "-" || source.charAt(dash + 1) === "]") {
    return rangeItem(first.length, first, first, folds);
  }
  const last = characterAt(source, dash + 1);
  return rangeItem(first.length + 1 + last.length, first, last, folds);
}

function rangeItem(length: number, { code: low }: Character, { code: high }: Character, folds: boolean): Item {
  if (!folds) return { length, build: 1 / RANGES_PER_INSTRUCTION, ranges: 1 };
  const width = Math.max(1, high - low + 1);
  // ASCII letters have few case variants. Beyond ASCII, each character may have some.
  return { length, build: width, ranges: high < ASCII_CLASS ? Math.min(2 * width, 4) : 2 * width };
}

// `\d`, `\pL`, `\p{Greek}` and, within brackets, `[:alpha:]`.
function namedAt(source: string, at: number, folds: boolean): Item | null {
  if (source.startsWith("[:", at)) {
    const end = source.slice(at, at + ASCII_NAME_LENGTH).indexOf(":]");
    return end < 0 ? null : asciiItem(end + 2, folds);
  }
  if (source.charAt(at) !== "\\") return null;
  const name = source.charAt(at + 1);
  if (name !== "" && "dDsSwW".includes(name)) return asciiItem(2, folds);
  if (name !== "p" && name !== "P") return null;
  const end = source.charAt(at + 2) === "{" ? source.indexOf("}", at) : at + 2;
  return { length: (end < 0 ? source.length : end + 1) - at, build: UNICODE_CLASS, ranges: UNICODE_RANGES };
}

function asciiItem(length: number, folds: boolean): Item {
  return { length, build: folds ? ASCII_CLASS : 1, ranges: ASCII_RANGES };
}

type Character = { readonly code: number; readonly length: number };

// Reads a character or an escape. Malformed escapes count as the last character, so that no range is measured too narrow.
function characterAt(source: string, at: number): Character {
  const code = source.codePointAt(at) ?? LAST_CHARACTER;
  if (code !== BACKSLASH) return { code, length: code > 0xffff && at < source.length ? 2 : 1 };
  const escaped = source.codePointAt(at + 1) ?? LAST_CHARACTER;
  if (escaped === LOWER_X) return hexAt(source, at);
  if (isOctal(escaped)) return octalAt(source, at);
  const control = CONTROLS.get(source.charAt(at + 1));
  return { code: control ?? escaped, length: escaped > 0xffff ? 3 : 2 };
}

// `\x41` and `\x{41}`.
function hexAt(source: string, at: number): Character {
  if (source.charAt(at + 2) !== "{") return { code: codeOf(source.slice(at + 2, at + 4), 16), length: 4 };
  const end = source.indexOf("}", at);
  if (end < 0) return { code: LAST_CHARACTER, length: source.length - at };
  return { code: codeOf(source.slice(at + 3, end), 16), length: end + 1 - at };
}

// Up to three octal digits.
function octalAt(source: string, at: number): Character {
  let end = at + 2;
  while (end < at + 4 && isOctal(source.charCodeAt(end))) end++;
  return { code: codeOf(source.slice(at + 1, end), 8), length: end - at };
}

function codeOf(digits: string, base: 8 | 16): number {
  const code = Number.parseInt(digits, base);
  return code >= 0 && code <= LAST_CHARACTER ? code : LAST_CHARACTER;
}

function isOctal(code: number): boolean {
  return code >= 0x30 && code <= 0x37;
}

const BACKSLASH = 0x5c;
const LOWER_X = 0x78;
const CONTROLS: ReadonlyMap<string, number> = new Map([["a", 7], ["f", 12], ["n", 10], ["r", 13], ["t", 9], ["v", 11]]);
