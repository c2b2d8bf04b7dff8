// Rows -> aligned text, whole in a pipe and cut to the width of a terminal. Every cell is foreign text until it is escaped,
// which happens here and nowhere else.
import type { RunPlan } from "../command/command.ts";
import { cellWidth } from "../core/cell-width.ts";
import { escapeWhole } from "../core/quote.ts";
import { type Paint, painter, plain, type Style, styleOf } from "./color.ts";
import type { Io } from "./io.ts";

const GAP = "  ";

/** Stands for what was cut off; one cell wide. */
const ELLIPSIS = "…";

/** The fewest cells that the last column of a cut table keeps. */
const LAST_LEAST = 24;

/** The fewest cells that any other column keeps: an id such as `rr-0123456789ab` stays whole, so that it can be copied. */
const OTHER_LEAST = 16;

/** The fewest cells of any column of a terminal that is too narrow even so. */
const LEAST = 6;

/** A text, with the style that it has where output is coloured. */
export type Cell = string | { readonly text: string; readonly style: Style };

/** How output looks: the width of the terminal, null where nothing is cut, and the colours. */
export type Look = { readonly columns: number | null; readonly paint: Paint };

/** Output for a program: whole and without colour. */
export const PLAIN: Look = { columns: null, paint: plain };

/** How a command's output looks. */
export function lookOf(plan: RunPlan, io: Io): Look {
  return { columns: io.columns(), paint: painter(plan, io) };
}

/** A word in the style of what it means, for example `block`. */
export function wordCell(word: string): Cell {
  const style = styleOf(word);
  return style === null ? word : { text: word, style };
}

/** A table: headings, then rows, columns at least two spaces apart, nothing behind the last one. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  look: Look = PLAIN,
): string {
  const widths = columnWidths([headings, ...rows], look);
  return [headings, ...rows].map((row) => formatRow(row, widths, look)).join("");
}

/** The width of each column: of its widest cell, narrowed from the last column on where the terminal is too narrow. */
export function columnWidths(table: readonly (readonly Cell[])[], { columns }: Look): readonly number[] {
  const [headings = []] = table;
  const widths = headings.map((_, column) => {
    return table.reduce((widest, row) => Math.max(widest, cellWidth(textOf(row[column] ?? ""))), 0);
  });
  if (columns === null) return widths;
  const last = widths.length - 1;
  let over = widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - columns;
  const narrow = (column: number, least: number) => {
    const width = widths[column] ?? 0;
    const cut = Math.max(0, Math.min(over, width - least));
    widths[column] = width - cut;
    over -= cut;
  };
  narrow(last, LAST_LEAST);
  for (let column = last - 1; column >= 0; column--) narrow(column, OTHER_LEAST);
  narrow(last, LEAST);
  for (let column = last - 1; column >= 0; column--) narrow(column, LEAST);
  return widths;
}

/** One line of a table; a cell that is too long is cut on a terminal and pushes its line on elsewhere. */
export function formatRow(row: readonly Cell[], widths: readonly number[], { columns, paint }: Look): string {
  const cells = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    const text = columns === null ? textOf(cell) : cutToCells(textOf(cell), width);
    const space = column === row.length - 1 ? "" : " ".repeat(Math.max(0, width - cellWidth(text)));
    return `${typeof cell === "string" || text === "" ? text : paint(text, cell.style)}${space}`;
  });
  return `${cells.join(GAP).trimEnd()}\n`;
}

/** Labelled values, aligned; the further lines of a value stand under its first. */
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

/** Printable text cut to a number of cells, with an ellipsis where something is missing; no escape is cut in two. */
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
