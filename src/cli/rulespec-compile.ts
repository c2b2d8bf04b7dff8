// `outcall rulespec compile [path]`: prints the Datalog program of a rulespec and an envelope, in either dialect.
import { formatJson } from "../core/json.ts";
import { problem } from "../core/problem.ts";
import { DIALECTS } from "../datalog/format-program.ts";
import { compileProgram, translateProgram } from "../rulespec/compile-program.ts";
import { extract } from "../rulespec/extract.ts";
import { RULESPEC_FILE } from "../rulespec/load-rulespec.ts";
import { Matcher, OPERATOR_SEARCH } from "../rulespec/matcher.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { loadInputs, reportNotLoaded } from "./rulespec-load.ts";

/** The command. */
export const rulespecCompile = cliCommand({
  command: {
    usage: "rulespec compile [path]",
    summary: "print the Datalog program of a rulespec",
    completes: "file",
    flags: {
      envelope: { value: "file", summary: "add the facts of this envelope to the program" },
      dialect: { value: "dialect", summary: "language of the program", choices: DIALECTS, default: "souffle" },
    },
    examples: [
      ["outcall rulespec compile", `print the program of ${RULESPEC_FILE}`],
      ["outcall rulespec compile rulespec.yaml --envelope envelope.yaml --dialect asp", "add facts, print for clingo"],
    ],
  },
  run: async (plan, io) => {
    const inputs = loadInputs(plan.arguments.path ?? RULESPEC_FILE, plan.flags.envelope);
    if (!inputs.ok) return reportNotLoaded(inputs.error, plan, io, "nothing is compiled");
    const { rulespec, facts } = inputs.value;
    const matcher = new Matcher(OPERATOR_SEARCH);
    const text = compileProgram(rulespec, extract(rulespec, facts), matcher);
    if (matcher.failure !== undefined) return fail(io, problem("rulespec.limit", matcher.failure));
    const { dialect } = plan.flags;
    const program = translateProgram(text, dialect);
    io.stdout(plan.flags.json ? `${formatJson({ version: 1, dialect, program })}\n` : program);
    return 0;
  },
});
