// Path of a rulespec -> LintReport, so that rulespecs and rule files are analysed in one run and stand in one report.
import { basename } from "node:path";
import { type LoadedRulespec, loadRulespec, RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import type { LintReport } from "./lint-report.ts";

/** Whether a file that is named by itself is a rulespec and no rule file: by its name. */
export function isRulespecName(path: string): boolean {
  return basename(path) === basename(RULESPEC_FILE);
}

/** Analyses one rulespec. */
export function lintRulespec(path: string): LintReport {
  return reportOfRulespec(loadRulespec(path), path);
}

/** What loading a rulespec found, as a report. */
function reportOfRulespec({ rulespec, findings, source }: LoadedRulespec, path: string): LintReport {
  const predicates = rulespec?.predicates.length ?? 0;
  return { files: 1, rules: 0, predicates, findings, sources: new Map([[path, source]]) };
}
