// `outcall rule test`: evaluates one expression against a context (S003-IF-005, FR-035, AS-016).
import { flagSwitch, flagText, type RunPlan } from "../command/command.ts";
import type { Context } from "../core/context.ts";
import { formatJson } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeWhole } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { TestData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, type ExitCode, fail } from "./cli-command.ts";
import { readContexts } from "./context-input.ts";
import type { Io } from "./io.ts";
import { testOffline } from "./offline.ts";

/** The command. */
export const ruleTest: CliCommand = {
  command: {
    path: ["rule", "test"],
    summary: "test an expression against a context",
    arguments: [],
    flags: [
      { name: "expr", value: "expression", summary: "CEL expression" },
      { name: "context", value: "json", summary: "context as JSON, @file, or - for one a line of standard input" },
      { name: "offline", summary: "ask no daemon" },
    ],
  },
  run: async (plan, io) => {
    const expression = flagText(plan, "expr");
    const source = flagText(plan, "context");
    if (expression === undefined) return fail(io, problem("command.usage", "rule test: missing --expr <expression>"));
    if (source === undefined) return fail(io, problem("command.usage", "rule test: missing --context <json>"));
    for await (const context of readContexts(source, io)) {
      if (!context.ok) return fail(io, context.error);
      const tested = await test(plan, expression, context.value);
      if (!tested.ok) return fail(io, tested.error);
      const exit = print(tested.value, plan, io);
      if (exit !== 0) return exit;
    }
    return 0;
  },
};

async function test(plan: RunPlan, expression: string, context: Context): Promise<Result<TestData, Problem>> {
  if (flagSwitch(plan, "offline")) return ok(testOffline(expression, context));
  return await ask(plan, { method: "POST", path: "/api/v1/rule/test", body: { expression, context }, data: TestData });
}

function print({ result, error }: TestData, plan: RunPlan, io: Io): ExitCode {
  if (flagSwitch(plan, "json")) io.stdout(`${formatJson({ version: 1, result, error })}\n`);
  else if (error === null) io.stdout(`Result: ${result}\n`);
  else io.stderr(`Error: ${escapeWhole(error)}\n`);
  return error === null ? 0 : 1;
}
