// argv -> exit code: parses the command line, runs the one command it names, and turns a bug into an error of its own.
import { versions } from "node:process";
import { type Flag, flagText, type RunPlan } from "../command/command.ts";
import { formatHelp } from "../command/help.ts";
import { flagsOf } from "../command/normalize.ts";
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
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await run(argv, io);
  } catch (cause) {
    const text = messageOf(cause);
    return fail(io, problem("daemon.internal", `outcall met a bug of its own: ${escapeText(text)}`));
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
      io.stdout(formatHelp(OUTCALL, plan.command));
      return 0;
    case "version":
      io.stdout(VERSION_LINE);
      return 0;
    case "run": {
      const found = CLI_COMMANDS.find((each) => each.command === plan.command);
      invariant(found !== undefined, "a command of the table has its run");
      const empty = findEmpty(plan);
      if (empty !== undefined) return fail(io, problem("command.usage", `--${empty.name} is empty`));
      return await found.run(plan, io);
    }
  }
}

// What an empty value cannot name; mostly it is a script's variable that was never set.
const NAMING: ReadonlySet<string> = new Set(["path", "file", "dir", "name", "id", "session"]);

function findEmpty(plan: RunPlan): Flag | undefined {
  return flagsOf(OUTCALL, plan.command).find(({ name, value = "" }) =>
    NAMING.has(value) && flagText(plan, name) === ""
  );
}
