// outcall-agent: argv -> command -> exit code. The shim reads its two variables (settings.ts) and PATH. The runtime in the
// built file sees no other variables: scripts/static-relink/environment.c removes them before it starts.
import { basename } from "node:path";
import { versions } from "node:process";
import type { Environment, PlanOf, Question } from "../command/command.ts";
import { formatHelp } from "../command/help.ts";
import { parseArgv } from "../command/parse-argv.ts";
import { checkRuntime } from "../command/runtime.ts";
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
import { AGENT_NOTES, AGENT_PROGRAM } from "./program.ts";
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
  const task = readTask(start.environment, invocation.value, plan.value.flags["agent-socket"]);
  return task.ok ? runCommand(task.value, plan.value) : task;
}

function readTask(environment: Environment, invocation: Invocation, socketPath: string): Result<Task, Problem> {
  const settings = readSettings(environment);
  if (!settings.ok) return settings;
  const { timeoutMs, verdictAsJson } = settings.value;
  return ok({ daemon: { socketPath, timeoutMs }, verdictAsJson, invocation });
}

function answer(question: Question): Result<number, Problem> {
  const printed = print(question.kind === "version" ? `${AGENT_PROGRAM.name} ${VERSION}` : describe(question.topic));
  return printed.ok ? ok(0) : printed;
}

function describe(topic: string): string {
  return `${formatHelp(AGENT_PROGRAM, topic)}${topic === "" ? AGENT_NOTES : ""}`.trimEnd();
}

async function runCommand(task: Task, plan: PlanOf<typeof AGENT_PROGRAM>): Promise<Result<number, Problem>> {
  switch (plan.name) {
    case "exec": {
      const { program, args } = plan.arguments;
      return runExec(task, program, [program, ...args]);
    }
    case "shell":
      return runShell(task, plan.arguments.line);
    case "check":
      return runCheck(task, plan);
    case "checkin":
      return runCheckin(task);
    case "request submit":
      return runRequestSubmit(task, plan.arguments.file);
    case "request status":
      return runRequestStatus(task, plan.arguments.id);
    case "envelope write":
      return runEnvelopeWrite(task, plan.arguments.file);
    case "link":
      return runLink(task, plan.arguments.dir, plan.arguments.name);
  }
}
