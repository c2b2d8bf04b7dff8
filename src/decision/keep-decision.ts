// Evaluation -> entry of the decision log, durable before the answer unless it is a plain allow. Where it cannot be kept
// there is no decision: whoever asked is denied.
import type { AuditLog } from "../audit/decision-log.ts";
import { type DecisionEntry, type EntryError, isAudit } from "../audit/entry.ts";
import { placeholder } from "../audit/placeholder.ts";
import type { Context } from "../core/context.ts";
import { DEFAULT_BLOCK } from "../core/decision.ts";
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Evaluation, EvaluationWarning } from "../rule/evaluate-rules.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import type { Requester } from "./decide.ts";

/** What is known of a decision besides its outcome. */
export type DecisionFacts = {
  readonly requester: Requester;
  readonly set: RuleSet;
  readonly context: Context;
  /** The time for which the rules were evaluated. */
  readonly at: Date;
  readonly durationMs: number;
};

/** What keeps decisions. */
export type Keeper = { readonly audit: AuditLog };

/** Keeps what rules decided. */
export async function keepEvaluation(
  { audit }: Keeper,
  facts: DecisionFacts,
  evaluation: Evaluation,
): Promise<Result<null, Problem>> {
  const { decision, rule, hooks, warnings } = evaluation;
  const entry: DecisionEntry = {
    ...commonOf(facts),
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

/** Keeps that something was blocked without any rule having decided it. */
export function keepDenial(
  { audit }: Keeper,
  facts: DecisionFacts,
  reason: string,
): Promise<Result<null, Problem>> {
  const none = { rule: null, file: null, hooks: [], errors: [], logged: false };
  return audit.append({ ...commonOf(facts), ...none, decision: "block", reason });
}

function commonOf({ requester, set, context, at, durationMs }: DecisionFacts) {
  const { source, container } = requester;
  // The host's operator may put any agent into a context; an agent's own is what the host knows of it.
  const name = source === "agent" ? (context.agent?.name ?? null) : null;
  const common = { kind: "decision", source, container: { id: container, name }, digest: set.digest } as const;
  return { ...common, at, context, durationMs };
}

// What the agent is told, but for the target, which stands in the context.
function reasonOf({ action_type }: Context, rule: Evaluation["rule"]): string {
  if (rule !== null) return rule.reason ?? "blocked by policy";
  return `no rule allows ${action_type ?? "it"}`;
}

// A message may quote what the request holds: it stays only where the rule says it too.
function errorOf(set: RuleSet, { rule, file, message }: EvaluationWarning): EntryError {
  const start = message.indexOf('"');
  const end = message.lastIndexOf('"');
  const quoted = message.slice(start + 1, Math.max(end, start + 1));
  const own = set.rules.find((each) => each.id === rule)?.expanded ?? "";
  if (start < 0 || own.includes(quoted)) return { rule, file, message };
  return { rule, file, message: `${message.slice(0, start)}${placeholder("text", quoted)}${message.slice(end + 1)}` };
}
