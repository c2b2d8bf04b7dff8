// Reports findings to the operator: as lines of text before the daemon serves, as log records afterwards.
import { join } from "node:path";
import type { Finding } from "../core/finding.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { escapeText } from "../core/quote.ts";
import type { Place } from "../core/span.ts";
import type { Log } from "../log/logger.ts";

/** Writes `file:line:col: severity[code]: message (hint)` for each finding. */
export function reportFindings(findings: readonly Finding[], dir: string, write: (text: string) => void): void {
  for (const { place, severity, code, message, hint } of findings) {
    const where = formatPlace(place, dir);
    write(`${where}: ${severity}[${code}]: ${message}${hint === undefined ? "" : ` (${hint})`}\n`);
  }
}

/** Logs one record for each finding. Yields between them, because there may be thousands. */
export function* logFindings(findings: readonly Finding[], dir: string, log: Log): Interruptible<null> {
  for (const { code, severity, message, hint, place, rule } of findings) {
    yield;
    const fields = { code, place: formatPlace(place, dir), rule, message, hint };
    if (severity === "error") log.error("rule.error", fields);
    else log.warning("rule.warning", fields);
  }
  return null;
}

/** `file:line:col: message (hint)`; without a place if the finding is about the whole directory. */
export function formatFinding({ place, message, hint }: Finding, dir: string): string {
  const where = place.file === dir ? "" : `${formatPlace(place, dir)}: `;
  return `${where}${message}${hint === undefined ? "" : ` (${hint})`}`;
}

/** `file:line:col` with the path of the file. */
export function formatPlace(place: Place, dir: string): string {
  const file = place.file === dir ? dir : join(dir, place.file);
  return `${escapeText(file, 4_096)}:${place.line}:${place.column}`;
}
