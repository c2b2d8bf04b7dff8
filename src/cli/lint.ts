// `outcall lint`: analyses rule files and rulespecs without a daemon, for people and for CI.
import { lint as lintPaths } from "../report/lint-paths.ts";
import { DEFAULT_RULES_DIR } from "../core/defaults.ts";
import { RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import { cliCommand } from "./cli-command.ts";
import { printReport, REPORT_FLAGS } from "./print-report.ts";

/** The command. */
export const lint = cliCommand({
  command: {
    usage: "lint [...path]",
    summary: "analyse rule files, directories of them, and rulespecs",
    details: `It needs no daemon. Without a path it reads ${DEFAULT_RULES_DIR} and ${RULESPEC_FILE}.`,
    completes: "file",
    flags: REPORT_FLAGS,
    examples: [
      ["outcall lint", "analyse what this host has"],
      ["outcall lint rules.d --strict", "fail on warnings too, for CI"],
      ["outcall lint rules.d -f sarif", "print a SARIF report, for code scanning"],
    ],
  },
  run: async (plan, io) => printReport(plan, io, () => lintPaths(plan.arguments.path)),
});
