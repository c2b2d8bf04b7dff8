// `outcall rulespec compile [path]`: prints the Datalog program of a rulespec and an envelope, in either dialect.
import { flagSwitch, flagText, type RunPlan } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { problem } from "../core/problem.ts";
import { type Dialect, DIALECTS } from "../datalog/format-program.ts";
import { compileProgram, translateProgram } from "../rulespec/compile-program.ts";
import { extract } from "../rulespec/extract.ts";
import { RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import { Matcher, OPERATOR_SEARCH } from "../rulespec/matcher.ts";
import { type CliCommand, fail } from "./cli-command.ts";
import { loadInputs, reportNotLoaded } from "./rulespec-load.ts";

/** The command. */
export const rulespecCompile: CliCommand = {
  command: {
    path: ["rulespec", "compile"],
    summary: "print the Datalog program of a rulespec",
    arguments: [{ name: "path", required: false, completes: "file" }],
    flags: [
      { name: "envelope", value: "file", summary: "envelope whose facts stand in the program; none: no facts" },
      { name: "dialect", value: "dialect", summary: "language of the program", choices: DIALECTS, default: "souffle" },
    ],
  },
  run: async (plan, io) => {
    const inputs = loadInputs(plan.arguments[0] ?? RULESPEC_FILE, flagText(plan, "envelope"));
    if (!inputs.ok) return reportNotLoaded(inputs.error, plan, io, "nothing is compiled");
    const { rulespec, facts } = inputs.value;
    const matcher = new Matcher(OPERATOR_SEARCH);
    const text = compileProgram(rulespec, extract(rulespec, facts), matcher);
    if (matcher.failure !== undefined) return fail(io, problem("rulespec.limit", matcher.failure));
    const dialect = dialectOf(plan);
    const program = translateProgram(text, dialect);
    io.stdout(flagSwitch(plan, "json") ? `${formatJson({ version: 1, dialect, program })}\n` : program);
    return 0;
  },
};

function dialectOf(plan: RunPlan): Dialect {
  const given = flagText(plan, "dialect");
  return DIALECTS.find((each) => each === given) ?? "souffle";
}
