// Evaluation -> entry of the decision log. Entries are durable before the answer, except plain allows, which are queued. A
// decision that cannot be recorded is a denial.
import type { AuditLog } from "../audit/decision-log.ts";
import { type DecisionEntry, type EntryError, isAudit } from "../audit/entry.ts";
import { placeholder } from "../audit/placeholder.ts";
import type { Clock } from "../core/clock.ts";
import type { Context } from "../core/context.ts";
import { DEFAULT_BLOCK } from "../core/decision.ts";
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Evaluation, EvaluationWarning } from "../rule/evaluate-rules.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import type { Requester } from "./requester.ts";

/** The circumstances of a decision. */
export type DecisionFacts = {
  readonly requester: Requester;
  readonly set: RuleSet;
  readonly context: Context;
  readonly durationMs: number;
};

/** The log, and the clock for the time of entries. */
export type Keeper = { readonly audit: AuditLog; readonly clock: Clock };

/** Records a decision of the rules. */
export async function keepEvaluation(
  { audit, clock }: Keeper,
  facts: DecisionFacts,
  evaluation: Evaluation,
): Promise<Result<null, Problem>> {
  const { decision, rule, hooks, warnings } = evaluation;
  const entry: DecisionEntry = {
    ...commonOf(facts, clock),
    decision: decision.decision,
    rule: rule?.id ?? DEFAULT_BLOCK,
    file: rule?.file ?? null,
    reason: decision.decision === "allow" ? null : reasonOf(facts.context, rule),
    hooks: hooks.map((hook) => hook.id),
    errors: warnings.map((warning) => errorOf(facts.set, warning)),
    logged: rule?.log === true || hooks.some((hook) => hook.log),
  };
  return isAudit(entry) ? await audit.append(entry) : audit.queue(entry);
}

/** Records a denial that no rule decided. */
export function keepDenial(
  { audit, clock }: Keeper,
  facts: DecisionFacts,
  reason: string,
): Promise<Result<null, Problem>> {
  const none = { rule: null, file: null, hooks: [], errors: [], logged: false };
  return audit.append({ ...commonOf(facts, clock), ...none, decision: "block", reason });
}

function commonOf({ requester, set, context, durationMs }: DecisionFacts, clock: Clock) {
  const { source, container } = requester;
  // Only for agents: an operator's what-if may name any agent in its context.
  const name = source === "agent" ? (context.agent?.name ?? null) : null;
  const common = { kind: "decision", source, container: { id: container, name }, digest: set.digest } as const;
  return { ...common, at: clock.now(), context, durationMs };
}

// What the agent is told, without the target, which is in the context.
function reasonOf({ action_type }: Context, rule: Evaluation["rule"]): string {
  if (rule !== null) return rule.reason ?? "blocked by policy";
  return `no rule allows ${action_type ?? "it"}`;
}

// What a message quotes of the request or of a hook is hidden, unless the rule itself has the same text.
function errorOf(set: RuleSet, { rule, file, message, foreign }: EvaluationWarning): EntryError {
  if (foreign === undefined) return { rule, file, message };
  const inner = foreign.replace(/^"|"$/g, "");
  const own = set.rules.find((each) => each.id === rule)?.expanded ?? "";
  if (own.includes(inner)) return { rule, file, message };
  return { rule, file, message: message.replace(foreign, () => placeholder("text", inner)) };
}
