// argv -> exit code: parses the command line, runs its command, and reports an unexpected exception as a bug.
import { versions } from "node:process";
import { nameOf } from "../command/find-command.ts";
import { formAskedFor } from "../command/format-problem.ts";
import { formatHelp } from "../command/help.ts";
import { parseArgv } from "../command/parse-argv.ts";
import { checkRuntime } from "../command/runtime.ts";
import { invariant } from "../core/invariant.ts";
import { problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { messageOf } from "../core/thrown.ts";
import { type ExitCode, fail } from "./cli-command.ts";
import type { Io } from "./io.ts";
import { CLI_COMMANDS, OUTCALL } from "./program.ts";
import { VERSION_LINE } from "./version.ts";

/** Runs outcall: 0 done, 1 failed, 2 bad arguments. */
export async function main(argv: readonly string[], process: Io): Promise<ExitCode> {
  const io: Io = { ...process, errors: formAskedFor(argv, process.environment) };
  try {
    return await run(argv, io);
  } catch (cause) {
    const text = messageOf(cause);
    return fail(io, problem("daemon.internal", `outcall has a bug: ${escapeText(text)}`));
  }
}

async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const runtime = checkRuntime(versions);
  if (!runtime.ok) return fail(io, runtime.error);
  const parsed = parseArgv(OUTCALL, argv, io.environment);
  if (!parsed.ok) return fail(io, parsed.error);
  const plan = parsed.value;
  switch (plan.kind) {
    case "help":
      io.stdout(formatHelp(OUTCALL, plan.topic));
      return 0;
    case "version":
      io.stdout(VERSION_LINE);
      return 0;
    case "run": {
      const found = CLI_COMMANDS.find(({ command }) => nameOf(command) === plan.name);
      invariant(found !== undefined, "a command of the table has its run");
      return await found.run(plan, io);
    }
  }
}
