// LintReport -> standard output in one of its formats, and the exit code; shared by all commands that analyse files.
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { formatGithub } from "../report/format-github.ts";
import { formatLintJson } from "../report/format-json.ts";
import { formatJunit } from "../report/format-junit.ts";
import { formatSarif } from "../report/format-sarif.ts";
import { formatText } from "../report/format-text.ts";
import { hasFailed, type LintReport } from "../report/lint-report.ts";
import { type ExitCode, fail } from "./cli-command.ts";
import { isColored } from "./color.ts";
import type { Io } from "./io.ts";
import { withProgress } from "./progress.ts";

const FORMATS = ["text", "json", "github", "sarif", "junit"] as const;

type Format = (typeof FORMATS)[number];

/** The flags of a command that prints a report. */
export const REPORT_FLAGS = defineFlags({
  format: { short: "f", value: "format", summary: "format of the report", choices: FORMATS, default: "text" },
  strict: { summary: "fail on warnings too" },
});

type ReportPlan = CliPlan<typeof REPORT_FLAGS>;

/** Makes a report and prints it in the format that the command line asks for; wrong flags are reported first. */
export function printReport(plan: ReportPlan, io: Io, make: () => Result<LintReport, Problem>): ExitCode {
  const format = formatOf(plan);
  if (!format.ok) return fail(io, format.error);
  const strict = plan.flags.strict;
  const report = format.value === "text" ? withProgress(io, "checking", make) : make();
  if (!report.ok) return fail(io, report.error);
  io.stdout(formatReport(report.value, format.value, strict, isColored(plan, io)));
  return hasFailed(report.value, strict) ? 1 : 0;
}

function formatOf(plan: ReportPlan): Result<Format, Problem> {
  const { format, json } = plan.flags;
  if (!json) return ok(format);
  if (!plan.given.format || format === "json") return ok("json");
  return err(problem("command.usage", `--json and --format ${format} exclude each other`));
}

function formatReport(report: LintReport, format: Format, strict: boolean, color: boolean): string {
  switch (format) {
    case "text":
      return formatText(report, color);
    case "json":
      return formatLintJson(report);
    case "github":
      return formatGithub(report);
    case "sarif":
      return formatSarif(report);
    case "junit":
      return formatJunit(report, strict);
  }
}
