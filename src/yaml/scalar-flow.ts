// Splits plain, single-quoted and double-quoted scalars into pieces, with the line folding and escapes of the YAML library.
import { Pieces } from "./scalar-pieces.ts";

/** The pieces of a plain scalar. */
export function decodePlain(raw: string): Pieces {
  const pieces = new Pieces(raw);
  unfold(raw, { from: 0, to: raw.length }, pieces, (from, to) => pieces.run(from, to));
  return pieces;
}

/** The pieces of a single-quoted scalar, whose only escape is the doubled quote. */
export function decodeSingle(raw: string): Pieces {
  const pieces = new Pieces(raw);
  unfold(raw, { from: 1, to: raw.length - 1 }, pieces, (from, to) => {
    let done = from;
    for (const { index } of raw.slice(from, to).matchAll(/''/g)) {
      pieces.run(done, from + index);
      pieces.atom("'", from + index, from + index + 2);
      done = from + index + 2;
    }
    pieces.run(done, to);
  });
  return pieces;
}

type Range = { readonly from: number; readonly to: number };

// Blanks on both sides of a line break are dropped. One break becomes a space; n breaks become n - 1 line feeds.
function unfold(raw: string, range: Range, pieces: Pieces, add: (from: number, to: number) => void): void {
  const breaks: Range[] = [];
  let start = range.from;
  for (let feed = raw.indexOf("\n", start); feed !== -1; feed = raw.indexOf("\n", start)) {
    const lineEnd = raw[feed - 1] === "\r" ? feed - 1 : feed;
    const from = start === range.from ? start : skipBlanks(raw, start, lineEnd);
    const to = trimBlanks(raw, from, lineEnd);
    if (from < to || start === range.from) {
      fold(breaks, pieces);
      add(from, to);
    }
    breaks.push({ from: lineEnd, to: feed + 1 });
    start = feed + 1;
  }
  fold(breaks, pieces);
  add(start === range.from ? start : skipBlanks(raw, start, range.to), range.to);
}

function fold(breaks: Range[], pieces: Pieces): void {
  const [first, ...rest] = breaks;
  breaks.length = 0;
  if (first === undefined) return;
  if (rest.length === 0) pieces.atom(" ", first.from, first.to);
  for (const each of rest) pieces.atom("\n", each.from, each.to);
}

/** The pieces of a double-quoted scalar. */
export function decodeDouble(raw: string): Pieces {
  const pieces = new Pieces(raw);
  const end = raw.length - 1;
  let start = 1;
  let at = 1;
  const flush = (to: number): void => pieces.run(start, to);
  while (at < end) {
    const character = raw[at];
    if (character === "\\") {
      flush(at);
      at = start = addEscape(raw, at, pieces);
    } else if (character === "\n") {
      const lineEnd = raw[at - 1] === "\r" ? at - 1 : at;
      flush(Math.max(start, trimBlanks(raw, start, lineEnd)));
      at = start = addBreaks(raw, lineEnd, pieces);
    } else {
      at++;
    }
  }
  flush(end);
  return pieces;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["e", "\x1b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["N", "\u0085"],
  ["_", "\u00a0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
  [" ", " "],
  ['"', '"'],
  ["/", "/"],
  ["\\", "\\"],
  ["\t", "\t"],
]);

const CODE_LENGTHS: ReadonlyMap<string, number> = new Map([["x", 2], ["u", 4], ["U", 8]]);

/** Adds the value of an escape and returns the offset after it. */
function addEscape(raw: string, at: number, pieces: Pieces): number {
  const kind = raw[at + 1] ?? "";
  const plain = ESCAPES.get(kind);
  if (plain !== undefined) {
    pieces.atom(plain, at, at + 2);
    return at + 2;
  }
  const length = CODE_LENGTHS.get(kind);
  if (length !== undefined) {
    const to = at + 2 + length;
    pieces.atom(String.fromCodePoint(Number.parseInt(raw.slice(at + 2, to), 16)), at, to);
    return to;
  }
  // An escaped line break adds nothing, and the blanks before the next line's text are dropped.
  const feed = raw.startsWith("\\\r\n", at) ? at + 2 : at + 1;
  return skipBlanks(raw, feed + 1, raw.length);
}

/** Adds the value of a run of line breaks and returns the offset of the text after it. */
function addBreaks(raw: string, at: number, pieces: Pieces): number {
  const breaks: Range[] = [];
  let next = at;
  for (;;) {
    const lineEnd = skipBlanks(raw, next, raw.length);
    const feed = raw[lineEnd] === "\r" ? lineEnd + 1 : lineEnd;
    if (raw[feed] !== "\n") {
      fold(breaks, pieces);
      return lineEnd;
    }
    breaks.push({ from: lineEnd, to: feed + 1 });
    next = feed + 1;
  }
}

function skipBlanks(raw: string, from: number, to: number): number {
  let at = from;
  while (at < to && (raw[at] === " " || raw[at] === "\t")) at++;
  return at;
}

function trimBlanks(raw: string, from: number, to: number): number {
  let at = to;
  while (at > from && (raw[at - 1] === " " || raw[at - 1] === "\t")) at--;
  return at;
}
