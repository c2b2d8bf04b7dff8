// A command of outcall: its entry in the command table beside what it does, so that neither can miss the other.
import type { Command, RunPlan } from "../command/command.ts";
import { meaningOf, type Problem } from "../core/problem.ts";
import type { Io } from "./io.ts";

/** 0 done, 1 failed, 2 bad arguments. */
export type ExitCode = 0 | 1 | 2;

/** A command and what runs it. */
export type CliCommand = {
  readonly command: Command;
  readonly run: (plan: RunPlan, io: Io) => Promise<ExitCode>;
};

/** Reports a problem on standard error and gives the exit code for it. */
export function fail(io: Io, { code, message, hint }: Problem): ExitCode {
  io.stderr(`Error: ${message}\n`);
  if (hint !== undefined) io.stderr(`Hint: ${hint}\n`);
  return meaningOf(code).exit === 2 ? 2 : 1;
}
