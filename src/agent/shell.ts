// outcall-agent shell: ask about a line of shell (shell_exec), then become the shell that runs it.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import { askThenBecome } from "./become.ts";
import type { Task } from "./task.ts";

/** The shell of every system that has one; not searched for, since the line alone is judged. */
const SHELL_PATH = "/bin/sh";

// Such a line would be taken for an option of the shell, and what stands behind it for the line.
const OPTION_LIKE = /^[-+]/;

/** Asks about the line. */
export function runShell(task: Task, line: string): Promise<Result<number, Problem>> {
  return askThenBecome(task, {
    program: SHELL_PATH,
    argv: ["sh", "-c", ...(OPTION_LIKE.test(line) ? ["--"] : []), line],
    action: (_path, cwd) => ({ type: "shell_exec", target: line, metadata: { cwd } }),
  });
}
