// Rows -> aligned text. Every cell is foreign text until it is escaped, which happens here and nowhere else.
import { cellWidth } from "../core/cell-width.ts";
import { escapeWhole } from "../core/quote.ts";

const GAP = "  ";

/** A table: headings, then rows, columns at least two spaces apart, nothing behind the last one. */
export function formatTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = [headings, ...rows].map((row) => row.map(escapeWhole));
  const widths = headings.map((_, column) => Math.max(...table.map((row) => cellWidth(row[column] ?? ""))));
  return table.map((row) => `${row.map((cell, column) => pad(cell, widths[column] ?? 0)).join(GAP).trimEnd()}\n`).join(
    "",
  );
}

/** Labelled values, aligned; the further lines of a value stand under its first. */
export function formatPairs(pairs: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(...pairs.map(([label]) => label.length + 1));
  return pairs.map(([label, value]) => {
    const [first = "", ...more] = value.split("\n").map((line) => escapeWhole(line.trimEnd()));
    const lines = [
      `${`${label}:`.padEnd(width)}${GAP}${first}`,
      ...more.map((line) => `${" ".repeat(width)}${GAP}${line}`),
    ];
    return lines.map((line) => `${line.trimEnd()}\n`).join("");
  }).join("");
}

function pad(text: string, width: number): string {
  return text + " ".repeat(width - cellWidth(text));
}
