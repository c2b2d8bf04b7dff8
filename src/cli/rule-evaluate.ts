// `outcall rule evaluate`: the decision of all rules for each context, asked of the daemon or of a rules directory.
import { Connection } from "../client/connection.ts";
import { flagSwitch, flagText, type RunPlan } from "../command/command.ts";
import type { Context } from "../core/context.ts";
import { formatJson } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeWhole, quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import type { LintReport } from "../report/lint-report.ts";
import { plainMessage } from "../report/plain-message.ts";
import { formatText } from "../report/format-text.ts";
import { DecisionData } from "../wire/host-api.ts";
import type { RuleEvaluateOutput } from "../wire/operator-output.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, type ExitCode, fail } from "./cli-command.ts";
import { readContexts } from "./context-input.ts";
import type { Io } from "./io.ts";
import { openRules } from "./offline.ts";

/** How long one evaluation may take, in milliseconds: it may run several hooks, each for up to a minute. */
const TIMEOUT_MS = 10 * 60_000;

/** The command. */
export const ruleEvaluate: CliCommand = {
  command: {
    path: ["rule", "evaluate"],
    summary: "evaluate all rules against a context",
    arguments: [],
    flags: [
      { name: "context", value: "json", summary: "context as JSON, @file, or - for one a line of standard input" },
      {
        name: "rules-dir",
        value: "path",
        summary: "rules directory to evaluate, instead of asking a daemon",
        completes: "directory",
      },
    ],
  },
  run: async (plan, io) => {
    const source = flagText(plan, "context");
    if (source === undefined) {
      return fail(io, problem("command.usage", "rule evaluate: missing --context <json>"));
    }
    const dir = flagText(plan, "rules-dir");
    if (dir === undefined) return await evaluateByDaemon(source, plan, io);
    const rules = openRules(dir);
    if (rules.ok) return await evaluateAll(source, plan, io, async (context) => ok(await rules.value(context)));
    const message = `rules in ${quote(dir)} do not load`;
    if (io.errors === "json") return fail(io, problem("command.input", `${message}: ${firstErrorOf(rules.error)}`));
    io.stderr(formatText(rules.error, false));
    return fail(io, problem("command.input", message));
  },
};

// A JSON error is one line, so it has only the first finding; `outcall lint` prints all of them.
function firstErrorOf({ findings }: LintReport): string {
  const first = findings.find(({ severity }) => severity === "error");
  if (first === undefined) return "no error is named";
  return `${escapeWhole(first.place.file)}:${first.place.line}: ${plainMessage(first)}`;
}

type Evaluate = (context: Context) => Promise<Result<RuleEvaluateOutput, Problem>>;

async function evaluateByDaemon(source: string, plan: RunPlan, io: Io): Promise<ExitCode> {
  const connection = new Connection();
  const evaluate: Evaluate = async (context) => {
    const question = { method: "POST", path: "/api/v1/rule/evaluate", data: DecisionData } as const;
    const decision = await ask(plan, { ...question, body: { context }, timeoutMs: TIMEOUT_MS, connection });
    return decision.ok ? ok({ version: 1, ...decision.value, warnings: [] }) : decision;
  };
  const exit = await evaluateAll(source, plan, io, evaluate);
  connection.close();
  return exit;
}

async function evaluateAll(source: string, plan: RunPlan, io: Io, evaluate: Evaluate): Promise<ExitCode> {
  for await (const context of readContexts(source, io)) {
    if (!context.ok) return fail(io, context.error);
    const evaluated = await evaluate(context.value);
    if (!evaluated.ok) return fail(io, evaluated.error);
    if (flagSwitch(plan, "json")) io.stdout(`${formatJson(evaluated.value)}\n`);
    else print(evaluated.value, io);
  }
  return 0;
}

function print({ decision, matched_rule, file, logged, warnings }: RuleEvaluateOutput, io: Io): void {
  for (const warning of warnings) io.stderr(`warning: ${escapeWhole(warning)}\n`);
  const by = matched_rule === null
    ? "by default, no rule matched"
    : `by rule ${quote(matched_rule)} of ${escapeWhole(file ?? "-")}`;
  io.stdout(`${decision} ${by}${logged ? ", logged" : ""}\n`);
}
