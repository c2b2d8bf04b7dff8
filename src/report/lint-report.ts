// The result of `outcall lint`, before it is formatted as text, JSON, SARIF or another form.
import type { Finding, Severity } from "../core/finding.ts";

/** The findings of an analysis and the texts that were analysed. */
export type LintReport = {
  readonly files: number;
  readonly rules: number;
  /** The number of predicates; absent if no rulespec was analysed. */
  readonly predicates?: number;
  /** Sorted by place. The file of a place is as given on the command line, or joined to the directory given there. */
  readonly findings: readonly Finding[];
  /** The text of each file, by the name that places use. */
  readonly sources: ReadonlyMap<string, string>;
};

/** How many findings of each severity there are. */
export function countFindings(report: LintReport): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const finding of report.findings) counts[finding.severity]++;
  return counts;
}

/** Whether the run fails: on any error, and with `strict` on any warning. */
export function hasFailed(report: LintReport, strict: boolean): boolean {
  return report.findings.some((finding) => isFailure(finding, strict));
}

/** Whether a finding fails the run. */
export function isFailure(finding: Finding, strict: boolean): boolean {
  return finding.severity === "error" || (strict && finding.severity === "warning");
}
