// Splits literal and folded block scalars into pieces, with the indentation, folding and chomping of the YAML library.
import { Pieces } from "./scalar-pieces.ts";

/** The pieces of a block scalar, from its lines, its header, and the indentation of its parent. */
export function decodeBlock(raw: string, header: string, parentIndent: number): Pieces {
  const pieces = new Pieces(raw);
  const explicit = Number(/[1-9]/.exec(header)?.[0] ?? 0);
  const lines = splitLines(raw);
  const content = lines.findIndex((line) => !line.isBlank);
  if (content === -1) {
    if (header.includes("+")) keepBlankLines(lines, pieces);
    return pieces;
  }
  const indent = explicit > 0 ? parentIndent + explicit : lines[content]?.indent ?? 0;
  const chompStart = lines.findLastIndex((line) => !line.isBlank || line.indent > indent) + 1;
  const body = { lines: lines.slice(0, chompStart), content, indent };
  if (header.startsWith("|")) addLiteral(body, pieces);
  else addFolded(body, pieces);
  addEnd(lines, chompStart, { header, indent }, pieces);
  return pieces;
}

type Line = {
  /** Offsets of its first character, its first non-space, its end, and the next line. */
  readonly start: number;
  readonly text: number;
  readonly end: number;
  readonly next: number;
  /** How many spaces it starts with. */
  readonly indent: number;
  readonly isBlank: boolean;
  readonly hasTab: boolean;
};

type Body = { readonly lines: readonly Line[]; readonly content: number; readonly indent: number };

function splitLines(raw: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= raw.length;) {
    const feed = raw.indexOf("\n", start);
    const last = feed === -1 ? raw.length : feed;
    const end = last > start && feed !== -1 && raw[last - 1] === "\r" ? last - 1 : last;
    let text = start;
    while (text < end && raw[text] === " ") text++;
    const next = feed === -1 ? raw.length : feed + 1;
    lines.push({ start, text, end, next, indent: text - start, isBlank: text === end, hasTab: raw[text] === "\t" });
    if (feed === -1) break;
    start = next;
  }
  return lines;
}

function keepBlankLines(lines: readonly Line[], pieces: Pieces): void {
  if (lines.length === 1) {
    const only = lines[0];
    if (only !== undefined && only.next > 0) pieces.atom("\n", only.end, only.next);
  }
  for (const line of lines.slice(0, -1)) pieces.atom("\n", line.end, line.next);
}

function addLiteral(body: Body, pieces: Pieces): void {
  body.lines.forEach((line, index) => {
    const before = body.lines[index - 1];
    if (before !== undefined) pieces.atom("\n", before.end, before.next);
    pieces.run(Math.min(line.end, line.start + body.indent), line.end);
  });
}

// Line breaks between two lines at the block's indentation fold as in a plain scalar. Breaks next to a more indented line,
// and breaks before the first text, are kept.
function addFolded(body: Body, pieces: Pieces): void {
  let breaks: Line[] = [];
  let isKept = true;
  body.lines.forEach((line, index) => {
    const isLeading = index < body.content;
    const isMore = line.indent > body.indent || line.hasTab;
    if (isLeading || isMore || !line.isBlank) {
      addBreaks(breaks, isKept || isMore, pieces);
      pieces.run(Math.min(line.end, line.start + body.indent), line.end);
      isKept = isLeading || isMore;
      breaks = [];
    }
    breaks.push(line);
  });
}

function addBreaks(breaks: readonly Line[], isKept: boolean, pieces: Pieces): void {
  const [first, ...rest] = breaks;
  if (first === undefined) return;
  if (isKept) pieces.atom("\n", first.end, first.next);
  else if (rest.length === 0) pieces.atom(" ", first.end, first.next);
  for (const each of rest) pieces.atom("\n", each.end, each.next);
}

function addEnd(
  lines: readonly Line[],
  chompStart: number,
  block: { readonly header: string; readonly indent: number },
  pieces: Pieces,
): void {
  if (block.header.includes("-")) return;
  const last = lines[chompStart - 1];
  if (last === undefined) return;
  if (!block.header.includes("+")) return pieces.atom("\n", last.end, last.next);
  let before = last;
  for (const line of lines.slice(chompStart)) {
    pieces.atom("\n", before.end, before.next);
    pieces.run(Math.min(line.end, line.start + block.indent), line.end);
    before = line;
  }
  if (!pieces.text.endsWith("\n")) pieces.atom("\n", before.end, before.next);
}
