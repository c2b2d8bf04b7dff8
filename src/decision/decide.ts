// Context -> evaluation that is on record, or the reason why there is none. Both sockets decide here and nowhere else. The
// operator's what-ifs are not counted.
import { type AuditLog, UNAVAILABLE } from "../audit/decision-log.ts";
import type { BridgeProbe } from "../bridge/state.ts";
import type { Clock } from "../core/clock.ts";
import type { Context } from "../core/context.ts";
import type { FairQueue } from "../core/fair-queue.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { evaluateWithHooks, type Evaluation, type RunHook } from "../rule/evaluate-rules.ts";
import type { Counts } from "./counts.ts";
import { keepDenial, keepEvaluation } from "./keep-decision.ts";
import type { LiveRules } from "../reload/live-rules.ts";
import type { Log } from "../log/logger.ts";
import { recordDecision } from "./record-decision.ts";
import type { RuleTime } from "./rule-time.ts";
import { isWhatIf, type Requester } from "./requester.ts";
import { roundMs } from "../log/round-ms.ts";

/** The most evaluations of one container that run at once. The next one waits, so slow hooks delay only their own container. */
export const EVALUATION_LIMITS = { runningPerKey: 16 } as const;

/** The parts of the daemon that a decision needs. */
export type DecideDeps = {
  readonly rules: LiveRules;
  readonly bridge: BridgeProbe;
  readonly runHook: RunHook;
  /** Evaluations of containers, under `EVALUATION_LIMITS`. */
  readonly turns: FairQueue;
  readonly clock: Clock;
  readonly ruleTime: RuleTime;
  readonly counts: Counts;
  readonly log: Log;
  readonly audit: AuditLog;
};

/** How long a request may take, and how much of that has passed since it arrived. */
type TimeLimit = { readonly limitMs: number; readonly passedMs?: number };

/** The question of a decision. */
export type DecideQuestion = {
  readonly context: Context;
  /** The target as the agent wrote it, for the record. */
  readonly rawTarget: string | null;
  readonly requester: Requester;
  readonly limit: TimeLimit;
};

/** The outcome, and the number of the record if it was on disk before the answer, as for every recorded denial. */
export type Decided = { readonly outcome: Result<Evaluation, Problem>; readonly record: number | null };

/**
 * Decides about a context under a time limit. An evaluation over the limit, or a decision that cannot be
 * recorded, results in a problem and never in an allow.
 */
export async function decide(question: DecideQuestion, deps: DecideDeps): Promise<Decided> {
  const { context, requester, rawTarget, limit: { limitMs, passedMs = 0 } } = question;
  const { rules, bridge, clock, log, audit } = deps;
  const state = bridge.state();
  if (state !== "up" && state !== "none") {
    return unrecorded(problem("daemon.bridge-down", "rule evaluation unavailable: bridge is not up"));
  }
  const count = (outcome: "allowed" | "blocked") => {
    if (!isWhatIf(requester)) deps.counts[outcome]++;
  };
  const shown = isWhatIf(requester) ? { ...requester, what_if: true } : requester;
  const { set } = rules.current;
  if (!audit.isAvailable) {
    count("blocked");
    const facts = { requester, set, context, rawTarget, at: clock.now(), durationMs: 0 };
    await keepDenial(deps, facts, UNAVAILABLE.message);
    return unrecorded(UNAVAILABLE);
  }
  const startMs = clock.monotonicMs();
  // The clock is read once, so that the rules and the record have the same time.
  const { at, nowMs } = deps.ruleTime.read();
  const giveUp = new AbortController();
  const turn = { requester: requester.container ?? requester.source, signal: giveUp.signal };
  let hooksMs = 0;
  const runHook: RunHook = async (...run) => {
    const beganMs = clock.monotonicMs();
    const output = await deps.runHook(...run);
    hooksMs += clock.monotonicMs() - beganMs;
    return output;
  };
  const evaluate = () => evaluateWithHooks(set, context, { runHook, turn, nowMs });
  const inTurn = async () => {
    const done = await deps.turns.run(turn.requester, evaluate, turn.signal);
    return done.ok ? done.value : null;
  };
  const work = requester.container === null ? evaluate : inTurn;
  const evaluation = passedMs >= limitMs ? null : await withinTime(work(), limitMs - passedMs);
  const durationMs = clock.monotonicMs() - startMs;
  const facts = { requester, set, context, rawTarget, at, durationMs };
  if (evaluation === null) {
    giveUp.abort();
    count("blocked");
    log.warning("decision.timeout", { ...shown, duration_ms: roundMs(durationMs), limit_ms: limitMs });
    const kept = await keepDenial(deps, facts, TIMEOUT.message);
    return kept.ok ? { outcome: err(TIMEOUT), record: kept.value } : unrecorded(kept.error);
  }
  recordDecision(log, { ...facts, requester: shown, evaluation, hooksMs });
  const kept = await keepEvaluation(deps, facts, evaluation);
  if (!kept.ok) {
    count("blocked");
    return unrecorded(kept.error);
  }
  const isAllowed = evaluation.decision.decision === "allow";
  count(isAllowed ? "allowed" : "blocked");
  return { outcome: ok(evaluation), record: isAllowed ? null : kept.value };
}

function unrecorded(found: Problem): Decided {
  return { outcome: err(found), record: null };
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
