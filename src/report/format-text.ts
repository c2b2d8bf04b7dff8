// Formats a report as text: each finding with its source line, carets and hint, then a summary.
import { countOf } from "../core/count.ts";
import type { Finding, Severity } from "../core/finding.ts";
import { escapeWhole } from "../core/quote.ts";
import { plainMessage } from "./plain-message.ts";
import { countFindings, type LintReport } from "./lint-report.ts";
import { showLine } from "./source-line.ts";

/** Formats the report as text that ends in a line break, in colour or plain. */
export function formatText(report: LintReport, color: boolean): string {
  const paint = color ? paintAnsi : (text: string) => text;
  const lines = new Map([...report.sources].map(([file, text]) => [file, text.split("\n")]));
  const findings = report.findings.map((finding) => {
    const { file, line } = finding.place;
    return formatFinding(finding, lines.get(file)?.[line - 1], paint);
  });
  return `${[...findings, formatSummary(report)].join("\n")}\n`;
}

/** Formats the summary, for example `2 errors, 1 warning in 3 files, 12 rules`. */
function formatSummary(report: LintReport): string {
  const counts = countFindings(report);
  const found = (["error", "warning", "note"] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => countOf(counts[severity], severity));
  const what = found.length === 0 ? "no findings" : found.join(", ");
  const { files, rules, predicates } = report;
  const held = [countOf(files, "file")];
  if (rules > 0 || predicates === undefined) held.push(countOf(rules, "rule"));
  if (predicates !== undefined) held.push(countOf(predicates, "predicate"));
  return `${what} in ${held.join(", ")}`;
}

type Style = Severity | "bold";
type Paint = (text: string, style: Style) => string;

function formatFinding(finding: Finding, source: string | undefined, paint: Paint): string {
  const { file, line, column } = finding.place;
  const place = paint(`${escapeWhole(file)}:${line}:${column}:`, "bold");
  const severity = paint(`${finding.severity}[${finding.code}]`, finding.severity);
  const out = [`${place} ${severity}: ${plainMessage(finding)}`];
  if (source !== undefined) out.push(...formatSource(finding, source, paint));
  if (finding.hint !== undefined) out.push(`  hint: ${escapeWhole(finding.hint)}`);
  return out.join("\n");
}

function formatSource({ place, severity }: Finding, source: string, paint: Paint): readonly string[] {
  const line = source.endsWith("\r") ? source.slice(0, -1) : source;
  const end = place.endLine === place.line ? place.endColumn : line.length + 1;
  const shown = showLine(line, place.column, end);
  if (shown.text.trim() === "") return [];
  const number = String(place.line).padStart(5);
  return [`${number} | ${shown.text}`, `${" ".repeat(number.length)} | ${paint(shown.carets, severity)}`];
}

const SGR: Readonly<Record<Style, string>> = { error: "1;31", warning: "1;33", note: "1;36", bold: "1" };

function paintAnsi(text: string, style: Style): string {
  return `\u001b[${SGR[style]}m${text}\u001b[0m`;
}
