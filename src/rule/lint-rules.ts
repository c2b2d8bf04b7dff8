// Runs all lints that produce warnings on the checked rules of a set, in evaluation order.
import type { Finding } from "../core/finding.ts";
import type { Interruptible } from "../core/interruptible.ts";
import { expiryOf, isInForce } from "./expires.ts";
import { spoofableKeys, unguardedReads } from "./lint-keys.ts";
import { looseAllow } from "./lint-loose.ts";
import { impossibleConstants } from "./lint-never.ts";
import { constantCondition, unreachableRules } from "./lint-reach.ts";
import { omittableBlocks, unscopedAllow } from "./lint-scope.ts";
import { type AnalyzedRule, warningOf, Warnings } from "./linted-rule.ts";

/** The default time limit of a hook, in milliseconds (S003-FR-012). */
export const HOOK_TIMEOUT_MS = 5_000;

/** The default time limit of an agent's evaluation, in milliseconds (S004-FR-015). */
export const AGENT_TIMEOUT_MS = 5_000;

/** The lowest priority of approved requests, which come after all of the operator's rules. */
export const APPROVED_PRIORITY = 1_000_000;

/** Matches the path of a file that an approval has written. */
const APPROVED_FILE = /(?:^|\/)90-agent-rr-[0-9a-f]{12}\.yaml$/;

/** The default name of the file that an approval writes. */
export function approvedFileName(requestId: string): string {
  return `90-agent-${requestId}.yaml`;
}

/** The settings on which the warnings depend, besides the rules. */
export type AnalyzeOptions = {
  /** The daemon's limit for an agent's evaluation. */
  readonly agentTimeoutMs: number;
  /** The time of the load in milliseconds since 1970. */
  readonly nowMs: number;
};

/** Returns all warnings about the rules. */
export function* analyze(
  rules: readonly AnalyzedRule[],
  { agentTimeoutMs, nowMs }: AnalyzeOptions,
): Interruptible<readonly Finding[]> {
  const hasHooks = rules.some((rule) => rule.entry.action === "enrich");
  const warnings = new Warnings();
  for (const rule of rules) {
    yield;
    const found = [
      notBoolean(rule),
      priorityRange(rule),
      hookTimeout(rule, agentTimeoutMs),
      expired(rule, nowMs),
      unguardedReads(rule),
      hasHooks ? spoofableKeys(rule) : [],
      constantCondition(rule),
      impossibleConstants(rule),
      looseAllow(rule),
      unusedEgress(rule),
      unscopedAllow(rule),
    ];
    for (const findings of found) warnings.add(findings, rule);
  }
  return [...warnings.list, ...(yield* unreachableRules(rules)), ...(yield* omittableBlocks(rules))];
}

function notBoolean(rule: AnalyzedRule): readonly Finding[] {
  const { type, tree } = rule.checked;
  if (type === "bool" || type === "dyn") return [];
  return [warningOf(rule, "rule.not-boolean", `condition is of type ${type}, never a boolean`, tree.span)];
}

function priorityRange(rule: AnalyzedRule): readonly Finding[] {
  const { priority, priorityPlace } = rule.entry;
  if (priority < APPROVED_PRIORITY || APPROVED_FILE.test(rule.file)) return [];
  const message = `priority ${priority} is in the range of approved requests, ${APPROVED_PRIORITY} and above`;
  const warning = warningOf(rule, "rule.priority-range", message);
  return [priorityPlace === undefined ? warning : { ...warning, place: priorityPlace }];
}

function unusedEgress(rule: AnalyzedRule): readonly Finding[] {
  if (rule.entry.egress === null) return [];
  const message = "egress has no effect, because this version of the daemon has no gateway";
  return [
    warningOf(
      rule,
      "rule.egress-unused",
      message,
      undefined,
      "remove egress, or keep it for a version with a gateway; the rule decides the same",
    ),
  ];
}

function expired(rule: AnalyzedRule, nowMs: number): readonly Finding[] {
  const { expires } = rule.entry;
  if (expires === null || isInForce(expiryOf(expires), nowMs)) return [];
  return [warningOf(rule, "rule.expired", `expired at ${expires} and is not in force`)];
}

function hookTimeout(rule: AnalyzedRule, agentTimeoutMs: number): readonly Finding[] {
  const { enrich } = rule.entry;
  if (enrich === null) return [];
  const timeoutMs = enrich.timeoutMs ?? HOOK_TIMEOUT_MS;
  if (timeoutMs < agentTimeoutMs) return [];
  const message =
    `the hook may run for ${timeoutMs} ms, but the daemon gives up an agent's evaluation after ${agentTimeoutMs} ms`;
  const hint = `set enrich.timeout_ms below ${agentTimeoutMs}, or raise --agent-timeout`;
  return [{ ...warningOf(rule, "rule.hook-timeout", message, undefined, hint), place: enrich.place }];
}
