// Context -> evaluation, kept, or the reason why there is none: the one way to a decision, for both sockets.
import { type AuditLog, UNAVAILABLE } from "../audit/decision-log.ts";
import type { BridgeProbe } from "../bridge/state.ts";
import type { Clock } from "../core/clock.ts";
import type { Context } from "../core/context.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { evaluateWithHooks, type Evaluation, type RunHook } from "../rule/evaluate-rules.ts";
import type { Counts } from "./counts.ts";
import type { EvaluationTurns } from "./evaluation-turns.ts";
import { keepDenial, keepEvaluation } from "./keep-decision.ts";
import type { LiveRules } from "../reload/live-rules.ts";
import type { Log } from "../log/logger.ts";
import type { Requester } from "./requester.ts";
import { recordDecision } from "./record-decision.ts";
import { roundMs } from "../log/round-ms.ts";

/** What decisions are made with. */
export type DecideDeps = {
  readonly rules: LiveRules;
  readonly bridge: BridgeProbe;
  readonly runHook: RunHook;
  readonly turns: EvaluationTurns;
  readonly clock: Clock;
  readonly counts: Counts;
  readonly log: Log;
  readonly audit: AuditLog;
};

/** Decides about a context within a time limit. An evaluation over the limit, or one that cannot be recorded, gives a problem and never an allow. */
export async function decide(
  context: Context,
  requester: Requester,
  timeoutMs: number,
  deps: DecideDeps,
): Promise<Result<Evaluation, Problem>> {
  const { rules, bridge, clock, log, counts, audit } = deps;
  const state = bridge.state();
  if (state !== "up" && state !== "none") {
    return err(problem("daemon.bridge-down", "rule evaluation unavailable: bridge is not up"));
  }
  const { set } = rules.current;
  if (!audit.isAvailable) {
    counts.blocked++;
    await keepDenial(deps, { requester, set, context, durationMs: 0 }, UNAVAILABLE.message);
    return err(UNAVAILABLE);
  }
  const startMs = clock.monotonicMs();
  const giveUp = new AbortController();
  const turn = { requester: requester.container ?? requester.source, signal: giveUp.signal };
  let hooksMs = 0;
  const runHook: RunHook = async (...run) => {
    const beganMs = clock.monotonicMs();
    const output = await deps.runHook(...run);
    hooksMs += clock.monotonicMs() - beganMs;
    return output;
  };
  const evaluate = () => evaluateWithHooks(set, context, { runHook, turn });
  const work = requester.container === null ? evaluate() : deps.turns.run(turn.requester, turn.signal, evaluate);
  const evaluation = await withinTime(work, timeoutMs);
  const durationMs = clock.monotonicMs() - startMs;
  const facts = { requester, set, context, durationMs };
  if (evaluation === null) {
    giveUp.abort();
    counts.blocked++;
    log.warning("decision.timeout", { ...requester, duration_ms: roundMs(durationMs), limit_ms: timeoutMs });
    const kept = await keepDenial(deps, facts, TIMEOUT.message);
    return kept.ok ? err(TIMEOUT) : kept;
  }
  recordDecision(log, { ...facts, evaluation, hooksMs });
  const kept = await keepEvaluation(deps, facts, evaluation);
  if (!kept.ok) {
    counts.blocked++;
    return kept;
  }
  if (evaluation.decision.decision === "allow") counts.allowed++;
  else counts.blocked++;
  return ok(evaluation);
}

const TIMEOUT = problem("daemon.evaluation-timeout", "evaluation timeout");

async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), timeoutMs)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
