// outcall-agent: argv -> command -> exit code. The shim reads its two variables (settings.ts) and PATH. The runtime in the
// built file sees no other variables: scripts/static-relink/environment.c removes them before it starts.
import { basename } from "node:path";
import { versions } from "node:process";
import { type Command, flagText, type Plan, type RunPlan } from "../command/command.ts";
import { formatHelp } from "../command/help.ts";
import { type Environment, parseArgv } from "../command/parse-argv.ts";
import { checkRuntime } from "../command/runtime.ts";
import { invariant } from "../core/invariant.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { VERSION } from "../core/version.ts";
import { DEFAULT_AGENT_SOCKET } from "../core/defaults.ts";
import { runCheck } from "./check.ts";
import { runCheckin } from "./checkin.ts";
import { runEnvelopeWrite } from "./envelope.ts";
import { runExec } from "./exec.ts";
import { type Invocation, type ProcessArguments, readInvocation } from "./invocation.ts";
import { runLink } from "./link.ts";
import {
  AGENT_NOTES,
  AGENT_PROGRAM,
  CHECK,
  CHECKIN,
  ENVELOPE_WRITE,
  EXEC,
  LINK,
  REQUEST_STATUS,
  REQUEST_SUBMIT,
  SHELL,
} from "./program.ts";
import { print, reportProblem } from "./print-verdict.ts";
import { runRequestStatus, runRequestSubmit } from "./request.ts";
import { readSettings } from "./settings.ts";
import { runShell } from "./shell.ts";
import type { Task } from "./task.ts";

/** The process as the runtime gives it. */
export type Start = ProcessArguments & { readonly environment: Environment };

/** Runs the shim and returns its exit code; it does not return when it becomes an allowed program. */
export async function main(start: Start): Promise<number> {
  try {
    const outcome = await run(start);
    return outcome.ok ? outcome.value : reportProblem(outcome.error);
  } catch (error) {
    // A bug in the shim: nothing is run, as when the daemon cannot be reached.
    return reportProblem(
      problem("agent.unreachable", `internal error: ${escapeText(String(error))}`, { cause: error }),
    );
  }
}

async function run(start: Start): Promise<Result<number, Problem>> {
  const runtime = checkRuntime(versions);
  if (!runtime.ok) return err(problem("agent.unreachable", runtime.error.message, { cause: runtime.error }));
  const invocation = readInvocation(start);
  if (!invocation.ok) return invocation;
  const { linkedAs, words } = invocation.value;
  if (linkedAs !== null) {
    const task = readTask(start.environment, invocation.value, DEFAULT_AGENT_SOCKET);
    return task.ok ? runExec(task.value, basename(linkedAs), [linkedAs, ...words]) : task;
  }
  const plan = parseArgv(AGENT_PROGRAM, words, {});
  if (!plan.ok) return plan;
  if (plan.value.kind !== "run") return answer(plan.value);
  const socketPath = flagText(plan.value, "agent-socket") ?? DEFAULT_AGENT_SOCKET;
  if (socketPath === "") return err(problem("command.usage", "--agent-socket is a path, not empty"));
  const task = readTask(start.environment, invocation.value, socketPath);
  return task.ok ? runCommand(task.value, plan.value) : task;
}

function readTask(environment: Environment, invocation: Invocation, socketPath: string): Result<Task, Problem> {
  const settings = readSettings(environment);
  if (!settings.ok) return settings;
  const { timeoutMs, verdictAsJson } = settings.value;
  return ok({ daemon: { socketPath, timeoutMs }, verdictAsJson, invocation });
}

function answer(plan: Exclude<Plan, RunPlan>): Result<number, Problem> {
  const printed = print(plan.kind === "version" ? `${AGENT_PROGRAM.name} ${VERSION}` : describe(plan.command));
  return printed.ok ? ok(0) : printed;
}

function describe(command: Command | null): string {
  return `${formatHelp(AGENT_PROGRAM, command)}${command === null ? AGENT_NOTES : ""}`.trimEnd();
}

async function runCommand(task: Task, plan: RunPlan): Promise<Result<number, Problem>> {
  const [first = "", ...others] = plan.arguments;
  switch (plan.command) {
    case EXEC:
      return runExec(task, first, plan.arguments);
    case SHELL:
      return runShell(task, first);
    case CHECK:
      return runCheck(task, plan);
    case CHECKIN:
      return runCheckin(task);
    case REQUEST_SUBMIT:
      return runRequestSubmit(task, first);
    case REQUEST_STATUS:
      return runRequestStatus(task, first);
    case ENVELOPE_WRITE:
      return runEnvelopeWrite(task, first);
    case LINK:
      return runLink(task, first, others);
  }
  invariant(false, "every command of the table is run");
}
