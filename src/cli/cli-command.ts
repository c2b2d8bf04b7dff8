// A command of outcall: its entry in the command table, together with the function that runs it.
import { type AnyPlan, type Command, defineCommand, type Flags, type Plan } from "../command/command.ts";
import { nameOf } from "../command/find-command.ts";
import { invariant } from "../core/invariant.ts";
import { meaningOf, type Problem } from "../core/problem.ts";
import { formatProblem } from "../command/format-problem.ts";
import type { GLOBAL_FLAGS } from "./global-flags.ts";
import type { Io } from "./io.ts";

/** 0: done. 1: failed. 2: wrong command line. */
export type ExitCode = 0 | 1 | 2;

/** A command and the function that runs it. */
export type CliCommand = {
  readonly command: Command;
  readonly run: (plan: AnyPlan, io: Io) => Promise<ExitCode>;
};

/** A command as it is declared: `run` is given the plan with the types of the command's flags and arguments. */
type Declared<F extends Flags, U extends string> = {
  readonly command: Command<F, U>;
  readonly run: (plan: Plan<F & typeof GLOBAL_FLAGS, U>, io: Io) => Promise<ExitCode>;
};

/** Declares a command. */
export function cliCommand<const F extends Flags, const U extends string>(
  { command, run }: Declared<F, U>,
): CliCommand {
  return {
    command: defineCommand(command),
    run: async (plan, io) => {
      invariant(isPlanOf(command, plan.name, plan), "a command runs its own plan");
      return await run(plan, io);
    },
  };
}

// The plan was made from the declaration of the command with this name.
function isPlanOf<F extends Flags, U extends string>(
  command: Command<F, U>,
  name: string,
  _plan: unknown,
): _plan is Plan<F & typeof GLOBAL_FLAGS, U> {
  return nameOf(command) === name;
}

/** Reports a problem on standard error, as text or JSON, and returns its exit code. */
export function fail(io: Io, found: Problem): ExitCode {
  io.stderr(formatProblem(found, io.errors ?? "text"));
  return meaningOf(found.code).exit === 2 ? 2 : 1;
}
