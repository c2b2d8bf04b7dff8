// POST /v1/permissions/check: request -> context -> decision -> verdict. Of the policy, the verdict reveals only an opaque rule
// id and the reason that the operator wrote for agents.
import { contextOf } from "../action/request-context.ts";
import { recordId } from "../audit/record-id.ts";
import type { Container } from "../container/container.ts";
import type { Context } from "../core/context.ts";
import { escapeText } from "../core/quote.ts";
import { ok } from "../core/result.ts";
import type { Verdict } from "../core/verdict.ts";
import { decide } from "../decision/decide.ts";
import { summarizeTarget } from "../log/summarize-context.ts";
import type { Evaluation } from "../rule/evaluate-rules.ts";
import { ageMs } from "../server/exchange.ts";
import type { PermissionBody } from "../wire/agent-api.ts";
import type { AgentHandlers, AgentOptions } from "./agent-options.ts";
import { opaqueRuleId, type RuleIdKey } from "./opaque-rule-id.ts";

/** Makes the handler. */
export function checkHandler(options: AgentOptions): AgentHandlers["POST /v1/permissions/check"] {
  const { deps, envelopes, timeoutMs, ruleIdKey } = options;
  return async ({ caller: container, body, exchange, note }) => {
    const context = contextOf(body);
    if (!context.ok) return context;
    const asked = { ...withAgent(context.value, container), envelope: envelopes.contextOf(container) };
    const requester = { source: "agent", container: container.id } as const;
    const limit = { limitMs: timeoutMs, passedMs: ageMs(exchange) };
    const question = { context: asked, rawTarget: body.target, requester, limit };
    const { outcome: evaluation, record } = await decide(question, deps);
    if (!evaluation.ok && !DENIALS.has(evaluation.error.code)) return evaluation;
    if (record !== null) exchange.recordId = recordId(ruleIdKey.bytes, record);
    const verdict: Verdict = evaluation.ok
      ? verdictOf(evaluation.value, body, ruleIdKey)
      : { allowed: false, matched_rule: null, reason: evaluation.error.message };
    note({
      action_type: body.action_type,
      target: summarizeTarget(body.action_type, context.value.target ?? ""),
      allowed: verdict.allowed,
      rule: evaluation.ok ? evaluation.value.rule?.id : undefined,
    });
    return ok(verdict);
  };
}

/** Errors of an evaluation that are answered as a denial, with the error's message as its reason. */
const DENIALS: ReadonlySet<string> = new Set(["daemon.evaluation-timeout", "audit.unavailable"]);

// The label that names the container that created this one; the Docker proxy sets it.
const PARENT_LABEL = "outcall.parent";

function withAgent(context: Context, container: Container): Context {
  const { id, name, image, labels, ownLabels, instance } = container;
  // An image may carry any label; only a label that was set when the container was created says which container made it.
  const parent = Object.hasOwn(ownLabels, PARENT_LABEL) ? ownLabels[PARENT_LABEL] ?? "" : "";
  return { ...context, agent: { id, name, image, labels, instance, parent }, observed: false };
}

function verdictOf({ decision, rule }: Evaluation, asked: PermissionBody, key: RuleIdKey): Verdict {
  const matched_rule = rule === null ? null : opaqueRuleId(key, rule.id);
  if (decision.decision === "allow") return { allowed: true, matched_rule, reason: null };
  if (rule !== null) return { allowed: false, matched_rule, reason: rule.reason ?? "blocked by policy" };
  // The reason quotes the target as the agent wrote it, not in its canonical form.
  return { allowed: false, matched_rule, reason: `no rule allows ${asked.action_type} to ${escapeText(asked.target)}` };
}
