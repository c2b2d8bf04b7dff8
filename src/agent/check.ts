// `outcall-agent check`: asks about an action and prints the verdict; nothing is run.
import type { Plan } from "../command/command.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { type Action, ask } from "./ask-verdict.ts";
import { formatCheckJson, formatVerdict, print, reportDenial } from "./print-verdict.ts";
import type { CHECK } from "./program.ts";
import type { Task } from "./task.ts";

type CheckPlan = Plan<typeof CHECK.flags>;

/** The exit code of `check` for a denial; nothing was to be run, so it is not 126. */
const CHECKED_DENIED = 1;

/** The metadata key whose value is always a list. */
const LIST_KEY = "argv";

/** Asks and prints the verdict. */
export async function runCheck(task: Task, plan: CheckPlan): Promise<Result<number, Problem>> {
  const action = readAction(plan);
  if (!action.ok) return action;
  const judgement = await ask(task.daemon, action.value);
  if (!judgement.ok) return judgement;
  const { verdict } = judgement.value;
  const printed = print(plan.flags.json ? formatCheckJson(verdict) : formatVerdict(verdict));
  if (!printed.ok) return printed;
  if (verdict.allowed === true) return ok(0);
  reportDenial(judgement.value, task.verdictAsJson);
  return ok(CHECKED_DENIED);
}

function readAction(plan: CheckPlan): Result<Action, Problem> {
  const { type, target, meta } = plan.flags;
  const metadata = readMetadata(meta);
  return metadata.ok ? ok({ type, target, metadata: metadata.value }) : metadata;
}

function readMetadata(texts: readonly string[]): Result<Action["metadata"], Problem> {
  const values = new Map<string, string[]>();
  for (const text of texts) {
    const equals = text.indexOf("=");
    if (equals < 1) return err(problem("command.usage", `--meta is key=value, not ${quote(text)}`));
    const key = text.slice(0, equals);
    values.set(key, [...(values.get(key) ?? []), text.slice(equals + 1)]);
  }
  return ok(Object.fromEntries([...values].map(([key, all]) => {
    const [first = ""] = all;
    return [key, all.length > 1 || key === LIST_KEY ? all : first];
  })));
}
