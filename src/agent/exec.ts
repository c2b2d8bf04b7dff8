// `outcall-agent exec`, and every link to the shim: asks about a program (tool_exec), then becomes it.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import { askThenBecome } from "./become.ts";
import type { Task } from "./task.ts";

/** Asks about the program and becomes it; argv[0] is the name that the caller used, including the directory of a link. */
export function runExec(task: Task, program: string, argv: readonly string[]): Promise<Result<number, Problem>> {
  return askThenBecome(task, {
    program,
    argv,
    action: (path, cwd) => ({ type: "tool_exec", target: path, metadata: { argv: argv.slice(1), cwd } }),
  });
}
