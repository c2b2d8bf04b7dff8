// Findings of the start, one line each, for an operator at a terminal; those of a set that loads go to the log.
import { join } from "node:path";
import type { Finding } from "../core/finding.ts";
import { escapeText } from "../core/quote.ts";
import type { Place } from "../core/span.ts";

/** Writes `file:line:col: severity[code]: message` for each finding, the hint behind it. */
export function reportFindings(findings: readonly Finding[], dir: string, write: (text: string) => void): void {
  for (const { place, severity, code, message, hint } of findings) {
    const where = formatPlace(place, dir);
    write(`${where}: ${severity}[${code}]: ${message}${hint === undefined ? "" : ` (${hint})`}\n`);
  }
}

/** `file:line:col` with the path of the file. */
export function formatPlace(place: Place, dir: string): string {
  const file = place.file === dir ? dir : join(dir, place.file);
  return `${escapeText(file, 4_096)}:${place.line}:${place.column}`;
}
