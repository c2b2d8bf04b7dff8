// RuleSet + Context -> Evaluation: rules in order, the first allow or block that matches decides, otherwise block. Pure but
// for hooks, which the caller runs. Nothing here can turn a failure into an allow: an allow that cannot be evaluated does
// not match, a block that cannot be evaluated blocks, an enrich that cannot be evaluated counts as a failed hook
// (S003-EC-012), an absent namespace is no match (S003-EC-002).
import type { Activation } from "../cel/activation.ts";
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

/** Something that went wrong on the way and did not stop the evaluation. */
export type EvaluationWarning = { readonly rule: string; readonly file: string; readonly message: string };

/** A decision and how it came about. */
export type Evaluation = {
  readonly decision: Decision;
  /** The rule that decided, or null for the default block. */
  readonly rule: Rule | null;
  readonly warnings: readonly EvaluationWarning[];
  /** The enrich rules that matched on the way, in order. */
  readonly hooks: readonly Rule[];
  /** How many conditions were evaluated. */
  readonly evaluated: number;
  /** The rule whose condition took the most steps: the one to look at when an evaluation is slow. */
  readonly costliest: Rule | null;
  /** What hooks wrote, or `failed` where one of them failed. */
  readonly enriched: JsonObject | "failed";
};

/** For whom a hook runs, since hooks take turns by it, and when it is to be given up. */
type HookTurn = { readonly requester: string; readonly signal: AbortSignal };

/** Runs the hook of an enrich rule on the context as conditions see it; an error is the reason of its failure. */
export type RunHook = (rule: Rule, input: JsonObject, turn: HookTurn) => Promise<Result<JsonObject, string>>;

/**
 * Evaluates a rule set that has no hooks on its way, or treats each that is reached as failed. Without a time no rule that
 * expires is in force.
 */
export function evaluateRules(set: RuleSet, context: Context, nowMs = Infinity): Evaluation {
  const progress = begin(context, nowMs);
  for (;;) {
    const step = advance(set, progress);
    if (step.kind === "decided") return step.evaluation;
    failHook(progress, step.rule, "hooks are not run here");
  }
}

/** How the hooks of an evaluation are run, and the time that holds for all of it. */
export type HookOptions = {
  readonly runHook: RunHook;
  readonly turn: HookTurn;
  /** Milliseconds since 1970; left out, no rule that expires is in force. */
  readonly nowMs?: number;
};

/** Evaluates a rule set and runs the hooks it meets, in order, one after the other; once given up it is a block. */
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

// Where one evaluation stands; it belongs to its caller alone and ends with it.
type Progress = {
  readonly nowMs: number;
  context: Context;
  enriched: JsonObject | "failed";
  readonly meter: Meter;
  /** The rules that can match, or null for all; what hooks add cannot make another one match. */
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

// Goes on from the present position to a decision, or to a hook that must be run first.
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
      // Its hook might have said what a later block looks for; not having asked must not read as having asked in vain.
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

// Whether a scan in order could be over the limit of an evaluation within the next rule, as far as the index knows.
function couldBeSpent({ remaining }: Meter, { stepsLeftOut }: Candidates): boolean {
  return remaining - stepsLeftOut < CONDITION_STEPS;
}

// Takes the steps of the rules before the present position that the index left out, so that the meter is where a scan
// would have it. None of them matches or fails, and together they are within the limit: that was certain until now.
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

// Whether a rule's outcome counts as a match: only true does, and whatever keeps a block from being evaluated.
function matchOf(progress: Progress, rule: Rule, outcome: Outcome): boolean {
  switch (outcome.kind) {
    case "no-value":
      return false;
    case "error":
      warn(progress, rule, `condition cannot be evaluated: ${outcome.reason}`);
      return rule.action === "block";
    case "value":
      if (typeof outcome.value === "boolean") return outcome.value;
      warn(progress, rule, `condition gave a value of type ${typeName(outcome.value)}, not a boolean`);
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

// Nobody waits for the answer any more; what was not evaluated must not be taken for no match.
function giveUp(progress: Progress, hook: Rule): Evaluation {
  warn(progress, hook, "evaluation was given up while the hook ran");
  return evaluationOf(progress, "block", null);
}

function warn(progress: Progress, rule: Rule, message: string): void {
  progress.warnings.push({ rule: rule.id, file: rule.file, message });
}

// A failed hook leaves `enriched` and `run.context` unevaluable for the rest of the evaluation, later hooks or not.
function failHook(progress: Progress, rule: Rule, reason: string): void {
  warn(progress, rule, `hook failed: ${reason}`);
  progress.enriched = "failed";
}

// What the request itself says; a hook's word for it goes nowhere, so that the two cannot be confused.
const RESERVED = new Set(["action_type", "target"]);

// Merged by top-level key; a later hook wins over an earlier one and over metadata, never over the request's own words.
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
