// LintReport -> JSON with a published schema, for programs.
import type { Finding } from "../core/finding.ts";
import { formatJson } from "../core/json.ts";
import type { LintFinding, LintOutput } from "../wire/lint-report.ts";
import type { LintReport } from "./lint-report.ts";

/** The report as one line of JSON. */
export function formatLintJson(report: LintReport): string {
  const output: LintOutput = {
    version: 1,
    files: report.files,
    rules: report.rules,
    findings: report.findings.map(toJson),
  };
  return `${formatJson(output)}\n`;
}

/** One finding as its JSON form, every member present. */
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
