// Evaluates a rule set: the first allow or block rule that matches decides; if none does, the request is blocked. The caller
// runs the hooks; everything else is pure. A failure never becomes an allow: an allow rule that cannot be evaluated does
// not match, a block rule that cannot be evaluated blocks, and an enrich rule that cannot be evaluated counts as a failed
// hook (S003-EC-012). A condition that depends on an absent namespace does not match (S003-EC-002).
import type { Activation } from "../cel/activation.ts";
import { type HookError, hookReason } from "../core/hook-error.ts";
import { bind } from "../cel/bind.ts";
import { createMeter, evaluate, isSpent, type Meter, type Outcome } from "../cel/evaluate-condition.ts";
import { CONDITION_STEPS } from "../cel/limits.ts";
import { typeName } from "../cel/value.ts";
import type { Context } from "../core/context.ts";
import type { Decision } from "../core/decision.ts";
import type { JsonObject } from "../core/json.ts";
import type { Result } from "../core/result.ts";
import { isInForce } from "./expires.ts";
import type { Candidates } from "./lookup.ts";
import type { Rule, RuleSet } from "./rule-set.ts";

/** A problem that did not stop the evaluation. */
export type EvaluationWarning = {
  readonly rule: string;
  readonly file: string;
  readonly message: string;
  /** Text of the request or of a hook within the message, exactly as it is written there. */
  readonly foreign?: string;
};

/** A decision, and what led to it. */
export type Evaluation = {
  readonly decision: Decision;
  /** The rule that decided, or null for the default block. */
  readonly rule: Rule | null;
  readonly warnings: readonly EvaluationWarning[];
  /** The enrich rules that matched, in order. */
  readonly hooks: readonly Rule[];
  /** The number of conditions that were evaluated. */
  readonly evaluated: number;
  /** The rule whose condition took the most steps, to find out why an evaluation is slow. */
  readonly costliest: Rule | null;
  /** The merged output of the hooks, or `failed` after a hook failed. */
  readonly enriched: JsonObject | "failed";
};

/** The container that a hook runs for, since containers take turns, and the signal that stops the hook. */
type HookTurn = { readonly requester: string; readonly signal: AbortSignal };

/** Runs the hook of an enrich rule on the context that conditions see; an error is the reason why the hook failed. */
export type RunHook = (rule: Rule, input: JsonObject, turn: HookTurn) => Promise<Result<JsonObject, HookError>>;

/** Evaluates a rule set without running hooks: each hook counts as failed. Without a time, no rule that expires is in force. */
export function evaluateRules(set: RuleSet, context: Context, nowMs = Infinity): Evaluation {
  const progress = begin(context, nowMs);
  for (;;) {
    const step = advance(set, progress);
    if (step.kind === "decided") return step.evaluation;
    failHook(progress, step.rule, "hooks are not run here");
  }
}

/** The options of an evaluation with hooks: the function that runs them, the signal, and the time for the whole evaluation. */
export type HookOptions = {
  readonly runHook: RunHook;
  readonly turn: HookTurn;
  /** Milliseconds since 1970; without it, no rule that expires is in force. */
  readonly nowMs?: number;
};

/** Evaluates a rule set and runs its hooks one after the other. If the signal aborts, the request is blocked. */
export async function evaluateWithHooks(
  set: RuleSet,
  context: Context,
  { runHook, turn, nowMs = Infinity }: HookOptions,
): Promise<Evaluation> {
  const progress = begin(context, nowMs);
  for (;;) {
    const step = advance(set, progress);
    if (step.kind === "decided") return step.evaluation;
    const output = await runHook(step.rule, hookInput(progress), turn);
    if (turn.signal.aborted) return giveUp(progress, step.rule);
    if (output.ok) mergeHook(progress, output.value);
    else failHook(progress, step.rule, output.error);
  }
}

// The state of one evaluation.
type Progress = {
  readonly nowMs: number;
  context: Context;
  enriched: JsonObject | "failed";
  readonly meter: Meter;
  /** The rules that can match, or null for all rules. The output of hooks cannot make other rules match. */
  candidates: Candidates | null | undefined;
  position: number;
  evaluated: number;
  costliest: Rule | null;
  mostSteps: number;
  readonly hooks: Rule[];
  readonly warnings: EvaluationWarning[];
};

type Step = { readonly kind: "decided"; readonly evaluation: Evaluation } | {
  readonly kind: "hook";
  readonly rule: Rule;
};

function begin(context: Context, nowMs: number): Progress {
  const counts = { position: 0, evaluated: 0, costliest: null, mostSteps: -1 };
  return {
    nowMs,
    context,
    enriched: {},
    meter: createMeter(),
    candidates: undefined,
    ...counts,
    hooks: [],
    warnings: [],
  };
}

// Continues to a decision, or to a hook that must run first.
function advance(set: RuleSet, progress: Progress): Step {
  let activation = bind(set.environment, progress.context, progress.enriched);
  if (progress.candidates === undefined) progress.candidates = set.index?.candidates(activation) ?? null;
  for (;; progress.position++) {
    if (progress.candidates !== null && couldBeSpent(progress.meter, progress.candidates)) {
      evaluateLeftOut(set, progress, activation);
      progress.candidates = null;
    }
    if (progress.candidates !== null) progress.position = progress.candidates.from(progress.position);
    const rule = set.rules[progress.position];
    if (rule === undefined) break;
    if (!isInForce(rule.expiresMs, progress.nowMs)) continue;
    const before = progress.meter.remaining;
    const outcome = evaluate(rule.predicate, activation, progress.meter);
    count(progress, rule, before - progress.meter.remaining);
    if (isSpent(progress.meter)) {
      warn(progress, rule, "evaluation is over its step limit, so the request is blocked");
      return decided(progress, "block", null);
    }
    const matches = matchOf(progress, rule, outcome);
    if (rule.action === "enrich" && isUnevaluable(outcome) && progress.enriched !== "failed") {
      // A later block rule may depend on the output of this hook, so a hook that did not run counts as failed.
      progress.enriched = "failed";
      activation = bind(set.environment, progress.context, progress.enriched);
    }
    if (!matches) continue;
    if (rule.action !== "enrich") return decided(progress, rule.action, rule);
    progress.position++;
    progress.hooks.push(rule);
    return { kind: "hook", rule };
  }
  return decided(progress, "block", null);
}

// Whether a scan of all rules could run out of steps by the end of the next rule.
function couldBeSpent({ remaining }: Meter, { stepsLeftOut }: Candidates): boolean {
  return remaining - stepsLeftOut < CONDITION_STEPS;
}

// Evaluates the rules before the current position that the index left out, so that the meter is where a scan would have it.
// None of these rules matches or fails, and their steps are within the limit, or the index would have been left before.
function evaluateLeftOut(set: RuleSet, progress: Progress, activation: Activation): void {
  const evaluated = set.index?.candidates(activation);
  for (const [at, rule] of set.rules.slice(0, progress.position).entries()) {
    if (evaluated?.from(at) === at) continue;
    const before = progress.meter.remaining;
    evaluate(rule.predicate, activation, progress.meter);
    count(progress, rule, before - progress.meter.remaining);
  }
}

function isUnevaluable(outcome: Outcome): boolean {
  return outcome.kind === "error" || (outcome.kind === "value" && typeof outcome.value !== "boolean");
}

function count(progress: Progress, rule: Rule, steps: number): void {
  progress.evaluated++;
  if (steps <= progress.mostSteps) return;
  progress.mostSteps = steps;
  progress.costliest = rule;
}

// An outcome is a match if it is true, or if a block rule could not be evaluated.
function matchOf(progress: Progress, rule: Rule, outcome: Outcome): boolean {
  switch (outcome.kind) {
    case "no-value":
      return false;
    case "error":
      warn(progress, rule, `condition cannot be evaluated: ${outcome.reason}`, outcome.foreign);
      return rule.action === "block";
    case "value":
      if (typeof outcome.value === "boolean") return outcome.value;
      warn(progress, rule, `condition returned a value of type ${typeName(outcome.value)}, not a boolean`);
      return rule.action === "block";
  }
}

function decided(progress: Progress, decision: "allow" | "block", rule: Rule | null): Step {
  return { kind: "decided", evaluation: evaluationOf(progress, decision, rule) };
}

function evaluationOf(progress: Progress, decision: "allow" | "block", rule: Rule | null): Evaluation {
  return {
    decision: {
      decision,
      matched_rule: rule?.id ?? null,
      file: rule?.file ?? null,
      logged: rule?.log ?? false,
    },
    rule,
    warnings: progress.warnings,
    hooks: progress.hooks,
    evaluated: progress.evaluated,
    costliest: progress.costliest,
    enriched: progress.enriched,
  };
}

// The caller has stopped waiting. The remaining rules were not evaluated, so the request is blocked.
function giveUp(progress: Progress, hook: Rule): Evaluation {
  warn(progress, hook, "evaluation was stopped while the hook ran");
  return evaluationOf(progress, "block", null);
}

function warn(progress: Progress, rule: Rule, message: string, foreign?: string): void {
  progress.warnings.push({ rule: rule.id, file: rule.file, message, ...(foreign === undefined ? {} : { foreign }) });
}

// After a failed hook, `enriched` and `run.context` are unevaluable for the rest of the evaluation, even if a later hook runs.
function failHook(progress: Progress, rule: Rule, error: HookError): void {
  warn(progress, rule, `hook failed: ${hookReason(error)}`, typeof error === "string" ? undefined : error.foreign);
  progress.enriched = "failed";
}

// Members of the request that the output of a hook cannot replace.
const RESERVED = new Set(["action_type", "target"]);

// Merges the output by top-level key. A later hook wins over an earlier one and over metadata.
function mergeHook(progress: Progress, output: JsonObject): void {
  if (progress.enriched === "failed") return;
  const added = Object.fromEntries(Object.entries(output).filter(([key]) => !RESERVED.has(key)));
  progress.enriched = { ...progress.enriched, ...added };
  const { run } = progress.context;
  if (run === undefined) return;
  progress.context = { ...progress.context, run: { ...run, context: { ...run.context, ...added } } };
}

function hookInput(progress: Progress): JsonObject {
  const enriched = progress.enriched === "failed" ? {} : progress.enriched;
  return JSON.parse(JSON.stringify({ ...progress.context, enriched }));
}
