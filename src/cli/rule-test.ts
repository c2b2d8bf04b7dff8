// `outcall rule test`: evaluates one expression against a context (S003-IF-005, FR-035, AS-016).
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import type { Context } from "../core/context.ts";
import { formatJson } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeWhole } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { TestData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, type ExitCode, fail } from "./cli-command.ts";
import { CONTEXT_FLAG, readContexts } from "./context-input.ts";
import type { Io } from "./io.ts";
import { testOffline } from "./offline.ts";

const TEST_FLAGS = defineFlags({
  expr: { short: "e", value: "expression", summary: "CEL expression", required: true },
  ...CONTEXT_FLAG,
  offline: { summary: "test here; needs no daemon" },
});

type TestPlan = CliPlan<typeof TEST_FLAGS>;

/** The command. */
export const ruleTest = cliCommand({
  command: {
    usage: "rule test",
    summary: "test an expression against a context",
    flags: TEST_FLAGS,
    examples: [
      ['outcall rule test -e \'run.tool == "git"\' -c \'{"run": {"tool": "git"}}\' --offline', "try a condition"],
      ["outcall rule test -e 'http.host.endsWith(\".example.com\")' -c @context.json", "test it in the daemon"],
    ],
  },
  run: async (plan, io) => {
    const source = plan.flags.context;
    if (source === undefined) return fail(io, problem("command.usage", "rule test: missing --context <json>"));
    for await (const context of readContexts(source, io)) {
      if (!context.ok) return fail(io, context.error);
      const tested = await test(plan, context.value);
      if (!tested.ok) return fail(io, tested.error);
      const exit = print(tested.value, plan, io);
      if (exit !== 0) return exit;
    }
    return 0;
  },
});

async function test(plan: TestPlan, context: Context): Promise<Result<TestData, Problem>> {
  const { expr: expression } = plan.flags;
  if (plan.flags.offline) return ok(testOffline(expression, context));
  return await ask(plan, { method: "POST", path: "/api/v1/rule/test", body: { expression, context }, data: TestData });
}

function print({ result, error }: TestData, plan: CliPlan, io: Io): ExitCode {
  if (plan.flags.json) io.stdout(`${formatJson({ version: 1, result, error })}\n`);
  else if (error === null) io.stdout(`Result: ${result}\n`);
  else io.stderr(`Error: ${escapeWhole(error)}\n`);
  return error === null ? 0 : 1;
}
