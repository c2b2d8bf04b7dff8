// Formats a report as JUnit XML: a suite for each file and a case for each finding; a file without findings has one passing
// case. Findings that do not fail the run are passing cases with their text as output.
import type { Finding } from "../core/finding.ts";
import { escapeWhole } from "../core/quote.ts";
import { plainMessage, plainMessageAndHint } from "./plain-message.ts";
import { isFailure, type LintReport } from "./lint-report.ts";

/** Formats the report as an XML document; with `strict`, warnings are failures. */
export function formatJunit(report: LintReport, strict: boolean): string {
  const files = new Map<string, Finding[]>([...report.sources.keys()].toSorted().map((file) => [file, []]));
  for (const finding of report.findings) {
    const { file } = finding.place;
    files.set(file, [...(files.get(file) ?? []), finding]);
  }
  const suites = [...files].map(([file, findings]) => formatSuite(file, findings, strict)).join("");
  const tests = [...files.values()].reduce((sum, findings) => sum + Math.max(1, findings.length), 0);
  const failures = report.findings.filter((finding) => isFailure(finding, strict)).length;
  const totals = attributes({ name: "outcall lint", tests, failures, errors: 0 });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${totals}>\n${suites}</testsuites>\n`;
}

function formatSuite(file: string, findings: readonly Finding[], strict: boolean): string {
  const failures = findings.filter((finding) => isFailure(finding, strict)).length;
  const head = attributes({ name: file, tests: Math.max(1, findings.length), failures, errors: 0 });
  const cases = findings.length === 0
    ? `    <testcase${attributes({ classname: file, name: "no findings" })}/>\n`
    : findings.map((finding) => formatCase(finding, strict)).join("");
  return `  <testsuite${head}>\n${cases}  </testsuite>\n`;
}

function formatCase(finding: Finding, strict: boolean): string {
  const { file, line, column } = finding.place;
  const name = `${finding.code} at ${line}:${column}`;
  const head = attributes({ classname: file, name, file, line });
  const text = escapeXml(`${escapeWhole(file)}:${line}:${column}: ${plainMessageAndHint(finding)}`);
  const body = isFailure(finding, strict)
    ? `<failure${attributes({ type: finding.code, message: plainMessage(finding) })}>${text}</failure>`
    : `<system-out>${finding.severity}: ${text}</system-out>`;
  return `    <testcase${head}>\n      ${body}\n    </testcase>\n`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).map(([name, value]) => ` ${name}="${escapeXml(escapeWhole(String(value)))}"`).join("");
}

// The characters that XML cannot contain are unprintable, so `escapeWhole` has already replaced them.
function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
