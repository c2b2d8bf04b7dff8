// `outcall lint`: analysis of rule files and rulespecs without a daemon, for people and CI (S003 section 11).
import { lint as lintPaths } from "../report/lint-paths.ts";
import type { CliCommand } from "./cli-command.ts";
import { printReport, REPORT_FLAGS } from "./print-report.ts";

/** The command. */
export const lint: CliCommand = {
  command: {
    path: ["lint"],
    summary: "analyse rule files and directories, and the rulespec",
    arguments: [{ name: "path", required: false, variadic: true, completes: "file" }],
    flags: REPORT_FLAGS,
  },
  run: async (plan, io) => printReport(plan, io, () => lintPaths(plan.arguments)),
};
