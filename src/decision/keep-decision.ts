// Evaluation -> entry of the decision log. The record of a denial is on disk before the answer is sent; plain allows and
// what-ifs are queued. If the record cannot be kept, there is no decision and the caller must deny.
import type { AuditLog } from "../audit/decision-log.ts";
import { type DecisionEntry, type EntryError, isAudit } from "../audit/entry.ts";
import { placeholder } from "../audit/placeholder.ts";
import type { Context } from "../core/context.ts";
import { DEFAULT_BLOCK } from "../core/decision.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import type { Evaluation, EvaluationWarning } from "../rule/evaluate-rules.ts";
import type { RuleSet } from "../rule/rule-set.ts";
import { isWhatIf, type Requester } from "./requester.ts";

/** The circumstances of a decision. */
export type DecisionFacts = {
  readonly requester: Requester;
  readonly set: RuleSet;
  readonly context: Context;
  /** The target as the agent wrote it. */
  readonly rawTarget: string | null;
  /** The time for which the rules were evaluated. */
  readonly at: Date;
  readonly durationMs: number;
};

/** The number of the record, or null if the record is only queued. */
type Kept = Result<number | null, Problem>;

/** The decision log, and the parts of the daemon that its entries need. */
export type Keeper = { readonly audit: AuditLog };

/** Records a decision of the rules. */
export async function keepEvaluation(
  { audit }: Keeper,
  facts: DecisionFacts,
  evaluation: Evaluation,
): Promise<Kept> {
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
  return await keep(audit, entry);
}

/** Records a block that no rule decided. */
export function keepDenial({ audit }: Keeper, facts: DecisionFacts, reason: string): Promise<Kept> {
  const none = { rule: null, file: null, hooks: [], errors: [], logged: false };
  return keep(audit, { ...commonOf(facts), ...none, decision: "block", reason });
}

async function keep(audit: AuditLog, entry: DecisionEntry): Promise<Kept> {
  if (isAudit(entry)) return await audit.append(entry);
  const queued = audit.queue(entry);
  return queued.ok ? ok(null) : queued;
}

function commonOf({ requester, set, context, rawTarget, at, durationMs }: DecisionFacts) {
  const { source, container } = requester;
  // The context of a what-if may name any agent, so a record names a container only if the host identified it.
  const name = source === "agent" ? (context.agent?.name ?? null) : null;
  const kind: DecisionEntry["kind"] = isWhatIf(requester) ? "what-if" : "decision";
  const common = { kind, source, container: { id: container, name }, digest: set.digest };
  const given = rawTarget === context.target ? null : rawTarget;
  return { ...common, at, context, rawTarget: given, durationMs };
}

// The reason that the agent gets, without the target, which the recorded context has.
function reasonOf({ action_type }: Context, rule: Evaluation["rule"]): string {
  if (rule !== null) return rule.reason ?? "blocked by policy";
  return `no rule allows ${action_type ?? "it"}`;
}

// Text that a message quotes from the request or a hook is hidden, unless the rule itself has the same text.
function errorOf(set: RuleSet, { rule, file, message, foreign }: EvaluationWarning): EntryError {
  if (foreign === undefined) return { rule, file, message };
  const inner = foreign.replace(/^"|"$/g, "");
  const own = set.rules.find((each) => each.id === rule)?.expanded ?? "";
  if (own.includes(inner)) return { rule, file, message };
  return { rule, file, message: message.replace(foreign, () => placeholder("text", inner)) };
}
