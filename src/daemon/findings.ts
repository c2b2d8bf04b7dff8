// Findings of the start, one line each, for an operator at a terminal or in the journal.
import { join } from "node:path";
import type { Finding } from "../core/finding.ts";
import { escapeText } from "../core/quote.ts";

/** Writes `file:line:col: severity[code]: message` for each finding, the hint behind it. */
export function reportFindings(findings: readonly Finding[], dir: string, write: (text: string) => void): void {
  for (const { place, severity, code, message, hint } of findings) {
    const file = place.file === dir ? dir : join(dir, place.file);
    const where = `${escapeText(file, 4_096)}:${place.line}:${place.column}`;
    write(`${where}: ${severity}[${code}]: ${message}${hint === undefined ? "" : ` (${hint})`}\n`);
  }
}
