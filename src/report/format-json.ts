// Formats a report as JSON, by the schema that `outcall schema` prints.
import type { Finding } from "../core/finding.ts";
import { formatJson } from "../core/json.ts";
import type { LintFinding, LintOutput } from "../wire/lint-report.ts";
import type { LintReport } from "./lint-report.ts";

/** Formats the report as one line of JSON. */
export function formatLintJson(report: LintReport): string {
  const output: LintOutput = {
    version: 1,
    files: report.files,
    rules: report.rules,
    findings: report.findings.map(toJson),
  };
  return `${formatJson(output)}\n`;
}

/** Converts a finding to its JSON form, in which every member is present. */
export function toJson(finding: Finding): LintFinding {
  const { file, line, column, endLine, endColumn } = finding.place;
  return {
    code: finding.code,
    severity: finding.severity,
    file,
    line,
    column,
    endLine,
    endColumn,
    rule: finding.rule ?? null,
    message: finding.message,
    hint: finding.hint ?? null,
  };
}
