// Check in, find the program, ask, become the program, in this order (S004-FR-009). If no daemon runs, that is the error, even
// if the program is missing too. The program that is judged is the program that runs, and nothing runs before an allow.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { findProgram } from "../file/find-program.ts";
import { type Action, checkIn } from "./ask-verdict.ts";
import { readEnvironment, readWorkingDirectory } from "./exact.ts";
import { execute } from "./execute.ts";
import { reportDenial } from "./print-verdict.ts";
import type { Task } from "./task.ts";

/** A program to run, and the action to ask about. */
export type ExecRequest = {
  /** As the caller named it: a name to look up in PATH, or a path. */
  readonly program: string;
  /** With argv[0]. */
  readonly argv: readonly string[];
  readonly action: (path: string, workingDirectory: string) => Action;
};

/** The exit code for a denied program; a shell uses it for a program that it may not run. */
const DENIED = 126;

/** Asks about the program and becomes it if that is allowed; then this function does not return. */
export async function askThenBecome(task: Task, request: ExecRequest): Promise<Result<number, Problem>> {
  const environment = readEnvironment(task.invocation.compiled);
  if (!environment.ok) return environment;
  const workingDirectory = readWorkingDirectory();
  if (!workingDirectory.ok) return workingDirectory;
  const judged = await checkIn(task.daemon, async (session) => {
    const path = findProgram(request.program, {
      path: environment.value.path,
      workingDirectory: workingDirectory.value,
      shim: task.invocation.file,
    });
    if (!path.ok) return err(problem("agent.program", path.error));
    const judgement = await session.ask(request.action(path.value, workingDirectory.value));
    return judgement.ok ? ok({ path: path.value, judgement: judgement.value }) : judgement;
  });
  if (!judged.ok) return judged;
  const { path, judgement } = judged.value;
  if (judgement.verdict.allowed !== true) {
    reportDenial(judgement, task.verdictAsJson);
    return ok(DENIED);
  }
  const ended = await execute({ path, argv: request.argv, environment: environment.value.variables });
  return typeof ended === "number" ? ok(ended) : err(ended);
}
