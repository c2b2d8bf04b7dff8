// `outcall rulespec lint [path]`: analyses one rulespec, with the formats and exit codes of `outcall lint`.
import { existsSync } from "node:fs";
import { problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok } from "../core/result.ts";
import { lintRulespec } from "../report/lint-rulespec.ts";
import { RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import type { CliCommand } from "./cli-command.ts";
import { printReport, REPORT_FLAGS } from "./print-report.ts";

/** The command. */
export const rulespecLint: CliCommand = {
  command: {
    path: ["rulespec", "lint"],
    summary: "analyse a rulespec",
    arguments: [{ name: "path", required: false, completes: "file" }],
    flags: REPORT_FLAGS,
  },
  run: async (plan, io) =>
    printReport(plan, io, () => {
      const path = plan.arguments[0] ?? RULESPEC_FILE;
      return existsSync(path) ? ok(lintRulespec(path)) : err(problem("command.usage", `no such file: ${quote(path)}`));
    }),
};
