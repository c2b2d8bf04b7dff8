// Small rule sets for tests, and short descriptions of their decisions.
import type { RuleAction } from "../../../src/core/decision.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Evaluation, HookOptions } from "../../../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../../../src/rule/load-rules.ts";
import type { RuleSet } from "../../../src/rule/rule-set.ts";

/** A rule: its condition, its action, and further members. */
export type RuleText = readonly [condition: string, action: RuleAction, more?: string];

/** A set of the rules r0, r1, ... in one file. The enrich rules have the scripts h0.sh, h1.sh, ... by number. */
export function setOf(...each: readonly RuleText[]): RuleSet {
  const lines = each.map(([condition, action, more = ""], at) => {
    const hook = action === "enrich" ? `, enrich: {script: h${at}.sh}` : "";
    return `  - {id: r${at}, condition: ${JSON.stringify(condition)}, action: ${action}${hook}${more}}\n`;
  });
  const { set, findings } = loadRuleFiles([{ name: "a.yaml", text: `version: "1"\nrules:\n${lines.join("")}` }]);
  if (set === null) throw new Error(findings.map(({ message }) => message).join("\n"));
  return set;
}

/** The name of the rule, or of the default, that decided. */
export function by(evaluation: Evaluation): string {
  const { decision, matched_rule: rule } = evaluation.decision;
  return `${decision} by ${rule}`;
}

/** The warnings, one line each. */
export function warned({ warnings }: Evaluation): readonly string[] {
  return warnings.map(({ rule, file, message }) => `${file} ${rule}: ${message}`);
}

/** Hooks with a given output for each script, or with a failure for a given reason; `seen` collects their input. */
export function hooks(outputs: Readonly<Record<string, JsonObject | string>>, seen: unknown[] = []): HookOptions {
  return {
    turn: { requester: "test", signal: new AbortController().signal },
    runHook: (rule, input) => {
      seen.push([rule.enrich?.script, input]);
      const output = outputs[rule.enrich?.script ?? ""] ?? "not found";
      return Promise.resolve(typeof output === "string" ? { ok: false, error: output } : { ok: true, value: output });
    },
  };
}
