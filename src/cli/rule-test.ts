// `outcall rule test`: evaluates one expression against a context (S003-IF-005, FR-035, AS-016).
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import { formatJson } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { escapeWhole } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { TestData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, type ExitCode, fail } from "./cli-command.ts";
import type { WhatIf } from "./context-input.ts";
import type { Io } from "./io.ts";
import { testOffline } from "./offline.ts";
import { readWhatIfs, WHAT_IF_DETAILS, WHAT_IF_FLAGS } from "./what-if-input.ts";

const TEST_FLAGS = defineFlags({
  expr: { short: "e", value: "expression", summary: "CEL expression", required: true },
  ...WHAT_IF_FLAGS,
  offline: { summary: "test here; needs no daemon" },
});

type TestPlan = CliPlan<typeof TEST_FLAGS>;

/** The command. */
export const ruleTest = cliCommand({
  command: {
    usage: "rule test [program] [...args]",
    summary: "test an expression against a context, a request, or a program",
    details: WHAT_IF_DETAILS,
    flags: TEST_FLAGS,
    raw: true,
    examples: [
      ['outcall rule test -e \'run.tool == "git"\' -c \'{"run": {"tool": "git"}}\' --offline', "try a condition"],
      ["outcall rule test -e 'http.host.endsWith(\".example.com\")' -c @context.json", "test it in the daemon"],
      ["outcall rule test -e '\"--force\" in run.flags' --offline -- git push --force", "test it on a program"],
    ],
  },
  run: async (plan, io) => {
    const whatIfs = readWhatIfs(plan, io);
    if (!whatIfs.ok) return fail(io, whatIfs.error);
    for await (const whatIf of whatIfs.value) {
      if (!whatIf.ok) return fail(io, whatIf.error);
      const tested = await test(plan, whatIf.value);
      if (!tested.ok) return fail(io, tested.error);
      const exit = print(tested.value, plan, io);
      if (exit !== 0) return exit;
    }
    return 0;
  },
});

async function test(plan: TestPlan, whatIf: WhatIf): Promise<Result<TestData, Problem>> {
  const { complete, sent: context } = whatIf;
  const { expr: expression } = plan.flags;
  if (plan.flags.offline) return ok(testOffline(expression, complete));
  return await ask(plan, { method: "POST", path: "/api/v1/rule/test", body: { expression, context }, data: TestData });
}

function print({ result, error }: TestData, plan: CliPlan, io: Io): ExitCode {
  if (plan.flags.json) io.stdout(`${formatJson({ version: 1, result, error })}\n`);
  else if (error === null) io.stdout(`Result: ${result}\n`);
  else io.stderr(`Error: ${escapeWhole(error)}\n`);
  return error === null ? 0 : 1;
}
