// `outcall rule evaluate`: the decision of all rules for each context, from the daemon or from a rules directory.
import { Connection } from "../client/connection.ts";
import type { CliPlan } from "./global-flags.ts";
import { formatJson } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeWhole, quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import type { LintReport } from "../report/lint-report.ts";
import { toJson } from "../report/format-json.ts";
import { formatText } from "../report/format-text.ts";
import { DecisionData } from "../wire/host-api.ts";
import type { RuleEvaluateOutput } from "../wire/operator-output.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, type ExitCode, fail } from "./cli-command.ts";
import type { WhatIf } from "./context-input.ts";
import type { Io } from "./io.ts";
import { openRules } from "./offline.ts";
import { readWhatIfs, WHAT_IF_DETAILS, WHAT_IF_FLAGS, type WhatIfs } from "./what-if-input.ts";

/** How long one evaluation may take, in milliseconds: it may run several hooks, each for up to a minute. */
const TIMEOUT_MS = 10 * 60_000;

/** The command. */
export const ruleEvaluate = cliCommand({
  command: {
    usage: "rule evaluate [program] [...args]",
    summary: "print the decision of all rules for a context, a request, or a program",
    details: WHAT_IF_DETAILS,
    flags: {
      ...WHAT_IF_FLAGS,
      "rules-dir": {
        value: "path",
        summary: "evaluate the rules of this directory; needs no daemon",
        completes: "directory",
      },
    },
    raw: true,
    examples: [
      ['outcall rule evaluate -c \'{"action_type": "tool_exec", "run": {"tool": "git"}}\'', "ask the running daemon"],
      ["outcall rule evaluate --rules-dir rules.d -c @context.json", "evaluate files that no daemon has loaded"],
      ["outcall rule evaluate --rules-dir rules.d -c - --json", "evaluate one context for each line of standard input"],
      ["outcall rule evaluate --rules-dir rules.d -- git push --force", "evaluate a program and its arguments"],
    ],
  },
  run: async (plan, io) => {
    const whatIfs = readWhatIfs(plan, io);
    if (!whatIfs.ok) return fail(io, whatIfs.error);
    const dir = plan.flags["rules-dir"];
    if (dir === undefined) return await evaluateByDaemon(whatIfs.value, plan, io);
    const rules = openRules(dir);
    if (rules.ok) {
      return await evaluateAll(whatIfs.value, plan, io, async ({ complete }) => ok(await rules.value(complete)));
    }
    const message = `rules in ${quote(dir)} do not load`;
    if (io.errors === "json") return failWithFindings(io, problem("command.input", message), rules.error);
    io.stderr(formatText(rules.error, false));
    return fail(io, problem("command.input", message));
  },
});

// If the rules do not load, the JSON error has every error of the analysis.
function failWithFindings(io: Io, { code, message }: Problem, { findings }: LintReport): ExitCode {
  const errors = findings.filter(({ severity }) => severity === "error").map(toJson);
  io.stderr(`${formatJson({ version: 1, error: { code, message, findings: errors } })}\n`);
  return 1;
}

type Evaluate = (whatIf: WhatIf) => Promise<Result<RuleEvaluateOutput, Problem>>;

async function evaluateByDaemon(whatIfs: WhatIfs, plan: CliPlan, io: Io): Promise<ExitCode> {
  const connection = new Connection();
  const evaluate: Evaluate = async ({ sent: context }) => {
    const question = { method: "POST", path: "/api/v1/rule/evaluate", data: DecisionData } as const;
    const decision = await ask(plan, { ...question, body: { context }, timeoutMs: TIMEOUT_MS, connection });
    return decision.ok ? ok({ version: 1, ...decision.value, warnings: [] }) : decision;
  };
  const exit = await evaluateAll(whatIfs, plan, io, evaluate);
  connection.close();
  return exit;
}

async function evaluateAll(whatIfs: WhatIfs, plan: CliPlan, io: Io, evaluate: Evaluate): Promise<ExitCode> {
  for await (const whatIf of whatIfs) {
    if (!whatIf.ok) return fail(io, whatIf.error);
    const evaluated = await evaluate(whatIf.value);
    if (!evaluated.ok) return fail(io, evaluated.error);
    if (plan.flags.json) io.stdout(`${formatJson(evaluated.value)}\n`);
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
