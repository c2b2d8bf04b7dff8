// Evaluation without a daemon: expressions and rules directories, in this process.
import { createEnvironment } from "../cel/environment.ts";
import { type Context, NAMESPACES, VARIABLES } from "../core/context.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { HookRunner } from "../hook/runner.ts";
import type { LintReport } from "../report/lint-report.ts";
import { reportOf } from "../report/lint-paths.ts";
import { evaluateWithHooks, type RunHook } from "../rule/evaluate-rules.ts";
import { loadRules } from "../rule/load-rules.ts";
import { type ExpressionResult, testExpression } from "../rule/test-expression.ts";
import type { RuleEvaluateOutput } from "../wire/operator-output.ts";

/** Evaluates one complete context against the opened rules. */
export type EvaluateOffline = (context: Context) => Promise<RuleEvaluateOutput>;

/** Loads a rules directory for evaluation; if it does not load, returns all findings. */
export function openRules(dir: string): Result<EvaluateOffline, LintReport> {
  const loaded = loadRules({ dir, trust: "none" });
  const { set } = loaded;
  if (set === null) return err(reportOf(loaded, dir));
  const hooks = new HookRunner(dir);
  const runHook: RunHook = (rule, input, turn) => hooks.run(rule, input, turn);
  return ok(async (context) => {
    const turn = { requester: "local", signal: new AbortController().signal };
    const { decision, warnings } = await evaluateWithHooks(set, context, { runHook, turn, nowMs: Date.now() });
    const texts = warnings.map(({ rule, file, message }) => `${file}: rule ${quote(rule)}: ${message}`);
    return { version: 1, ...decision, warnings: texts };
  });
}

/** Tests one expression against one complete context. */
export function testOffline(expression: string, context: Context): ExpressionResult {
  const environment = createEnvironment({ namespaces: NAMESPACES, variables: VARIABLES });
  return testExpression(environment, expression, context);
}
