// Check in, find the program, ask, become it: in this order, so that without a daemon that is what is said, what is judged is
// what is run, and nothing of the action happens before an allow (S004-FR-009).
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { findProgram } from "../file/find-program.ts";
import { type Action, checkIn } from "./ask-verdict.ts";
import { readEnvironment, readWorkingDirectory } from "./exact.ts";
import { execute } from "./execute.ts";
import { reportDenial } from "./print-verdict.ts";
import type { Task } from "./task.ts";

/** A program that is to run, and what is asked about it. */
export type ExecRequest = {
  /** As named by the caller: to be found in PATH, or a path. */
  readonly program: string;
  /** With argv[0]. */
  readonly argv: readonly string[];
  readonly action: (path: string, workingDirectory: string) => Action;
};

/** The exit code of a denied program: what a shell gives for one that it may not run. */
const DENIED = 126;

/** Asks, and does not come back when the program runs in this process's place. */
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
