// The host socket's routes of rules: what-ifs, the rules in force, and reloads.
import { completeContext } from "../action/complete-context.ts";
import { problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok } from "../core/result.ts";
import { decide } from "../decision/decide.ts";
import { testOnRecord } from "../decision/test-on-record.ts";
import { detailRule, summarizeRule } from "../rule/describe-rule.ts";
import type { Rule, RuleSet } from "../rule/rule-set.ts";
import type { ReloadData } from "../wire/host-api.ts";
import type { HostHandlers, HostOptions } from "./host-options.ts";
import { opaqueRuleId, type RuleIdKey } from "./opaque-rule-id.ts";
import { warningTexts } from "./status-report.ts";

/** The time limit of an operator's evaluation, in milliseconds: longer than any hook, so it only ends what hangs. */
const HOST_TIMEOUT_MS = 120_000;

/** Makes the handlers. */
export function ruleHandlers(
  { deps, reloader, ruleIdKey }: Pick<HostOptions, "deps" | "reloader" | "ruleIdKey">,
): Pick<
  HostHandlers,
  | "POST /api/v1/rule/evaluate"
  | "POST /api/v1/rule/test"
  | "GET /api/v1/rules"
  | "GET /api/v1/rule/:id"
  | "POST /api/v1/rules/reload"
> {
  return {
    "POST /api/v1/rule/evaluate": async ({ body }) => {
      const context = completeContext(body.context);
      if (!context.ok) return context;
      const requester = { source: "host", container: null } as const;
      const limit = { limitMs: HOST_TIMEOUT_MS };
      const { outcome } = await decide({ context: context.value, rawTarget: null, requester, limit }, deps);
      return outcome.ok ? ok(outcome.value.decision) : outcome;
    },
    "POST /api/v1/rule/test": ({ body }) => {
      const context = completeContext(body.context);
      return context.ok ? testOnRecord(body.expression, context.value, deps) : context;
    },
    "GET /api/v1/rules": () => ok(deps.rules.current.set.rules.map(summarizeRule)),
    "GET /api/v1/rule/:id": ({ params }) => {
      const rule = findRule(deps.rules.current.set.rules, params.id, ruleIdKey);
      if (rule !== undefined) return ok(detailRule(rule));
      return err(problem("rule.not-found", `rule not found: ${quote(params.id)}`));
    },
    "POST /api/v1/rules/reload": async () => {
      const reloaded = await reloader.reload("api");
      return reloaded.ok ? ok(describeReload(reloaded.value)) : reloaded;
    },
  };
}

function describeReload(set: RuleSet): ReloadData {
  return { files_loaded: set.files, rules_loaded: set.rules.length, warnings: warningTexts(set) };
}

// Finds a rule by its id, or by the opaque id that agents see. No rule can have an id of the opaque form.
function findRule(rules: readonly Rule[], id: string, key: RuleIdKey): Rule | undefined {
  const byId = rules.find((rule) => rule.id === id);
  if (byId !== undefined || !/^rule-[0-9a-f]{12}$/.test(id)) return byId;
  return rules.find((rule) => opaqueRuleId(key, rule.id) === id);
}
