// Formats a source line for a terminal, with carets under a range of columns. Tabs become spaces, unprintable characters become
// escapes, and a long line is cut around the range.
import { cellWidth } from "../core/cell-width.ts";
import { escapeText } from "../core/quote.ts";

/** The most cells of a shown line: with the line number it fits a terminal of 100 columns. */
export const LINE_CELLS = 92;

/** Cells kept before the range when a long line is cut. */
const CELLS_BEFORE = 24;

/** The spaces for a tab: a fixed number, so that carets align without tab stops. */
const TAB = "    ";

const CUT = "...";

/** Code units read on each side of the range's start, because a file may be one line of 2 MiB. */
const WINDOW = 1_024;

/** A line to print, and the carets to print under it. */
export type ShownLine = { readonly text: string; readonly carets: string };

/** Marks the range from `column` up to `endColumn`, both 1-based in UTF-16 code units; at least one cell is marked. */
export function showLine(line: string, column: number, endColumn: number): ShownLine {
  const at = Math.min(column - 1, line.length);
  const from = startOfCharacter(line, Math.max(0, at - WINDOW));
  const near = line.slice(from, at + WINDOW);
  const cells = layOut(near, at - from, endColumn - 1 - from);
  const first = cells.findIndex((cell) => cell.marked);
  const start = first < 0 ? cells.length : first;
  const shown = cut(cells, start);
  const before = shown.lead + width(shown.cells.slice(0, start - shown.from));
  const marked = width(shown.cells.filter((cell) => cell.marked));
  const text = shown.cells.map((cell) => cell.text).join("");
  return {
    text: `${shown.from > 0 ? CUT : ""}${text}${shown.isCutBehind ? CUT : ""}`.trimEnd(),
    carets: " ".repeat(before) + "^".repeat(Math.max(1, marked)),
  };
}

function startOfCharacter(line: string, at: number): number {
  return /[\udc00-\udfff]/.test(line[at] ?? "") ? at + 1 : at;
}

type Cell = { readonly text: string; readonly cells: number; readonly marked: boolean };

function layOut(line: string, start: number, end: number): readonly Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  for (const character of line) {
    const text = character === "\t" ? TAB : escapeText(character);
    // A range that begins inside a surrogate pair marks the whole character.
    const marked = at + character.length > start && at < Math.max(end, start + 1);
    cells.push({ text, cells: cellWidth(text), marked });
    at += character.length;
  }
  return cells;
}

type CutLine = {
  readonly cells: readonly Cell[];
  readonly from: number;
  readonly lead: number;
  readonly isCutBehind: boolean;
};

function cut(cells: readonly Cell[], start: number): CutLine {
  if (width(cells) <= LINE_CELLS) return { cells, from: 0, lead: 0, isCutBehind: false };
  let from = start;
  let before = 0;
  while (from > 0) {
    const next = cells[from - 1]?.cells ?? 0;
    if (before + next > CELLS_BEFORE) break;
    before += next;
    from--;
  }
  if (width(cells.slice(0, start)) <= CELLS_BEFORE + CUT.length) from = 0;
  const lead = from > 0 ? CUT.length : 0;
  let to = from;
  for (let used = lead; to < cells.length; to++) {
    used += cells[to]?.cells ?? 0;
    if (used > LINE_CELLS - CUT.length) break;
  }
  return { cells: cells.slice(from, to), from, lead, isCutBehind: to < cells.length };
}

function width(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.cells, 0);
}
