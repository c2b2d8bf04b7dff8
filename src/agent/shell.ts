// `outcall-agent shell`: asks about a line of shell (shell_exec), then becomes the shell that runs it.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import { askThenBecome } from "./become.ts";
import type { Task } from "./task.ts";

/** The shell. It is not searched for in PATH, because only the line is judged. */
const SHELL_PATH = "/bin/sh";

// The shell would take a line that begins like this for an option, and the next argument for the line.
const OPTION_LIKE = /^[-+]/;

/** Asks about the line and becomes the shell that runs it. */
export function runShell(task: Task, line: string): Promise<Result<number, Problem>> {
  return askThenBecome(task, {
    program: SHELL_PATH,
    argv: ["sh", "-c", ...(OPTION_LIKE.test(line) ? ["--"] : []), line],
    action: (_path, cwd) => ({ type: "shell_exec", target: line, metadata: { cwd } }),
  });
}
