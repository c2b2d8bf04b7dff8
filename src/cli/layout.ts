// Rows -> aligned text, whole in a pipe and cut to the width of a terminal. Every cell is foreign text until it is escaped,
// which happens here and nowhere else.
import type { CliPlan } from "./global-flags.ts";
import { cellWidth } from "../core/cell-width.ts";
import { escapeWhole } from "../core/quote.ts";
import { type Paint, painter, plain, type Style, styleOf } from "./color.ts";
import type { Io } from "./io.ts";

const GAP = "  ";

/** Marks where text was cut; one cell wide. */
const ELLIPSIS = "…";

/** The fewest cells that the last column of a cut table keeps while the others are whole. */
const LAST_LEAST = 24;

/** The fewest cells that the columns between the first and the last keep while the first is whole. */
const MIDDLE_LEAST = 8;

/** The fewest cells of any column, on a terminal that is too narrow even so. */
const LEAST = 6;

/** A text, and the style that it has in coloured output. */
export type Cell = string | { readonly text: string; readonly style: Style };

/** The width of the terminal, null if nothing is cut, and the colours. */
export type Look = { readonly columns: number | null; readonly paint: Paint };

/** The look of output that a program reads: whole and without colour. */
const PLAIN: Look = { columns: null, paint: plain };

/** The look of a command's output. */
export function lookOf(plan: CliPlan, io: Io): Look {
  return { columns: io.columns(), paint: painter(plan, io) };
}

/** A word with the style of its meaning: `block` is bad, `allow` is good. */
export function wordCell(word: string): Cell {
  const style = styleOf(word);
  return style === null ? word : { text: word, style };
}

/** A table: headings, then rows, with two spaces between columns and none at the end of a line. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  look: Look = PLAIN,
): string {
  const widths = columnWidths([headings, ...rows], look);
  return [headings, ...rows].map((row) => formatRow(row, widths, look)).join("");
}

/**
 * The width of each column: that of its widest cell, or less on a terminal that is too narrow. The last column gives way
 * first, then the widest of the others; the first one comes last, since it holds the ids that people copy.
 */
export function columnWidths(table: readonly (readonly Cell[])[], { columns }: Look): readonly number[] {
  const [headings = []] = table;
  const widths = headings.map((_, column) => {
    return table.reduce((widest, row) => Math.max(widest, cellWidth(textOf(row[column] ?? ""))), 0);
  });
  if (columns === null) return widths;
  const all = [...widths.keys()];
  narrow(widths, all.slice(-1), { columns, least: LAST_LEAST });
  narrow(widths, all.slice(1), { columns, least: MIDDLE_LEAST });
  narrow(widths, all, { columns, least: LEAST });
  return widths;
}

// Takes a cell at a time from the widest column, until the line fits or every column has its least width.
function narrow(
  widths: number[],
  those: readonly number[],
  { columns, least }: { columns: number; least: number },
): void {
  const gaps = GAP.length * (widths.length - 1);
  for (let over = widths.reduce((sum, width) => sum + width, gaps) - columns; over > 0; over--) {
    const widest = those.reduce((best, each) => (widths[each] ?? 0) > (widths[best] ?? 0) ? each : best, those[0] ?? 0);
    const width = widths[widest] ?? 0;
    if (width <= least) return;
    widths[widest] = width - 1;
  }
}

/** One line of a table. A cell that is too long is cut on a terminal; in a pipe it moves the rest of its line. */
export function formatRow(row: readonly Cell[], widths: readonly number[], { columns, paint }: Look): string {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    const text = columns === null ? textOf(cell) : cutToCells(textOf(cell), width);
    const space = column === row.length - 1 ? "" : " ".repeat(Math.max(0, width - cellWidth(text)));
    return `${typeof cell === "string" || text === "" ? text : paint(text, cell.style)}${space}`;
  });
  return `${cells.join(GAP).trimEnd()}\n`;
}

/** Labelled values, aligned; further lines of a value are below its first line. */
export function formatPairs(
  pairs: readonly (readonly [label: string, value: Cell])[],
  { paint }: Look = PLAIN,
): string {
  const width = Math.max(...pairs.map(([label]) => label.length + 1));
  return pairs.map(([label, value]) => {
    const style = typeof value === "string" ? null : value.style;
    const show = (text: string) => style === null || text === "" ? text : paint(text, style);
    const text = typeof value === "string" ? value : value.text;
    const [first = "", ...more] = text.split("\n").map((line) => show(escapeWhole(line.trimEnd())));
    const lines = [
      `${`${label}:`.padEnd(width)}${GAP}${first}`,
      ...more.map((line) => `${" ".repeat(width)}${GAP}${line}`),
    ];
    return lines.map((line) => `${line.trimEnd()}\n`).join("");
  }).join("");
}

/** Printable text cut to a width in cells, with an ellipsis at the cut; an escape is never cut in two. */
export function cutToCells(text: string, limit: number): string {
  if (cellWidth(text) <= limit) return text;
  let kept = "";
  let width = 0;
  for (const [part] of text.matchAll(/\\u\{[0-9a-f]+\}|[^]/gu)) {
    width += cellWidth(part);
    if (width > limit - 1) break;
    kept += part;
  }
  return limit < 1 ? "" : `${kept}${ELLIPSIS}`;
}

function textOf(cell: Cell): string {
  return escapeWhole(typeof cell === "string" ? cell : cell.text);
}
