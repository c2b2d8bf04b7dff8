// LintReport: what an analysis without a daemon found, before it takes any of the forms that people and CI read.
import type { Finding, Severity } from "../core/finding.ts";

/** Everything an analysis found, and the texts it found it in. */
export type LintReport = {
  readonly files: number;
  readonly rules: number;
  /** Predicates of rulespecs; none where no rulespec was analysed. */
  readonly predicates?: number;
  /** Sorted by place; a place's file is as given on the command line, or joined to the directory given there. */
  readonly findings: readonly Finding[];
  /** Each file that was read, by the name that places use. */
  readonly sources: ReadonlyMap<string, string>;
};

/** How many findings of each severity there are. */
export function countFindings(report: LintReport): Readonly<Record<Severity, number>> {
  const counts = { error: 0, warning: 0, note: 0 };
  for (const finding of report.findings) counts[finding.severity]++;
  return counts;
}

/** Whether the report fails a run: any error does, and with `strict` any warning. */
export function hasFailed(report: LintReport, strict: boolean): boolean {
  return report.findings.some((finding) => isFailure(finding, strict));
}

/** Whether one finding fails a run. */
export function isFailure(finding: Finding, strict: boolean): boolean {
  return finding.severity === "error" || (strict && finding.severity === "warning");
}
