// Expression and context -> the result of the expression, with the what-if on record.
import type { AuditLog } from "../audit/decision-log.ts";
import { NO_CONTAINER } from "../audit/entry.ts";
import type { Clock } from "../core/clock.ts";
import type { Context } from "../core/context.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import type { LiveRules } from "../reload/live-rules.ts";
import { type ExpressionResult, testExpression } from "../rule/test-expression.ts";

/** The parts of the daemon that a test of an expression needs. */
export type TestDeps = { readonly rules: LiveRules; readonly audit: AuditLog; readonly clock: Clock };

/** Tests an expression for the operator; an error where the record cannot be kept. */
export function testOnRecord(
  expression: string,
  context: Context,
  { rules, audit, clock }: TestDeps,
): Result<ExpressionResult, Problem> {
  const { environment, digest } = rules.current.set;
  const startMs = clock.monotonicMs();
  const tested = testExpression(environment, expression, context);
  const kept = audit.queue({
    kind: "what-if",
    at: clock.now(),
    source: "host",
    container: NO_CONTAINER,
    expression,
    ...tested,
    digest,
    durationMs: clock.monotonicMs() - startMs,
    context,
  });
  return kept.ok ? ok(tested) : kept;
}
