// The input of `rule evaluate` and `rule test`: contexts, requests in an agent's form, or a program and its arguments.
import process from "node:process";
import { defineFlags } from "../command/command.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { findProgram } from "../file/find-program.ts";
import type { CliPlan } from "./global-flags.ts";
import { type ContextSource, readContexts, type WhatIf, whatIfOf } from "./context-input.ts";
import type { Io } from "./io.ts";

/** The flags for the input. A command line gives exactly one of them, or a program. */
export const WHAT_IF_FLAGS = defineFlags({
  context: { short: "c", value: "json", summary: "the context: JSON, @file, or - for one a line of standard input" },
  request: {
    short: "r",
    value: "json",
    summary: "an agent's request {action_type, target, metadata}: JSON, @file, or - for one a line of standard input",
  },
});

/** The help text of the program argument. */
export const WHAT_IF_DETAILS = "Give --context, --request, or a program behind --. The program is asked about as " +
  "outcall-agent exec would ask: it is an absolute path, or a name that is found in PATH.";

// The plan of a command with what-ifs.
type WhatIfPlan = Pick<CliPlan<typeof WHAT_IF_FLAGS>, "flags"> & {
  readonly name: string;
  readonly arguments: { readonly program: string | undefined; readonly args: readonly string[] };
};

/** All inputs of a command line. */
export type WhatIfs = AsyncIterable<Result<WhatIf, Problem>>;

/** Reads the inputs; none, or more than one kind of input, is a usage error. */
export function readWhatIfs(plan: WhatIfPlan, io: Io): Result<WhatIfs, Problem> {
  const sources = (["context", "request"] as const).flatMap((flag): readonly ContextSource[] => {
    const value = plan.flags[flag];
    return value === undefined ? [] : [{ flag, value }];
  });
  const { program, args } = plan.arguments;
  const [source] = sources;
  const { name } = plan;
  if (sources.length + (program === undefined ? 0 : 1) > 1) {
    return err(problem("command.usage", `${name}: give only one of --context, --request and -- <program>`));
  }
  if (source !== undefined) return ok(readContexts(source, io));
  if (program !== undefined) return ok(readProgram(program, args, io));
  return err(problem("command.usage", `${name}: missing --context <json>, --request <json> or -- <program>`));
}

async function* readProgram(
  name: string,
  argv: readonly string[],
  io: Io,
): AsyncGenerator<Result<WhatIf, Problem>> {
  const cwd = process.cwd();
  const found = findProgram(name, { path: io.environment["PATH"], workingDirectory: cwd, shim: null });
  yield found.ok
    ? whatIfOf({ action_type: "tool_exec", target: found.value, metadata: { argv: [...argv], cwd } })
    : err(problem("command.input", found.error));
}
