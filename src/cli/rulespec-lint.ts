// `outcall rulespec lint [path]`: analyses one rulespec, with the formats and exit codes of `outcall lint`.
import { existsSync } from "node:fs";
import { problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok } from "../core/result.ts";
import { lintRulespec } from "../report/lint-rulespec.ts";
import { RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import { cliCommand } from "./cli-command.ts";
import { printReport, REPORT_FLAGS } from "./print-report.ts";

/** The command. */
export const rulespecLint = cliCommand({
  command: {
    usage: "rulespec lint [path]",
    summary: "analyse a rulespec",
    completes: "file",
    flags: REPORT_FLAGS,
    examples: [["outcall rulespec lint rulespec.yaml", "report every problem of a rulespec"]],
  },
  run: async (plan, io) =>
    printReport(plan, io, () => {
      const path = plan.arguments.path ?? RULESPEC_FILE;
      return existsSync(path) ? ok(lintRulespec(path)) : err(problem("command.usage", `no such file: ${quote(path)}`));
    }),
});
