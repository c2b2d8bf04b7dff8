// Analyses a rulespec as part of `outcall lint`, so that rulespecs and rule files share one report.
import { basename } from "node:path";
import { type LoadedRulespec, loadRulespec, RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import type { LintReport } from "./lint-report.ts";

/** Whether a path names a rulespec rather than a rule file. */
export function isRulespecName(path: string): boolean {
  return basename(path) === basename(RULESPEC_FILE);
}

/** Analyses one rulespec. */
export function lintRulespec(path: string): LintReport {
  return reportOfRulespec(loadRulespec(path), path);
}

/** Makes a report of a loaded rulespec. */
function reportOfRulespec({ rulespec, findings, source }: LoadedRulespec, path: string): LintReport {
  const predicates = rulespec?.predicates.length ?? 0;
  return { files: 1, rules: 0, predicates, findings, sources: new Map([[path, source]]) };
}
