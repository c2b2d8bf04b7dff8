// Compares plain rule sets with the engine: their files as texts, and the engine's decision with given outcomes of
// hooks.
import type { Context } from "../../../src/core/context.ts";
import { err, ok } from "../../../src/core/result.ts";
import { evaluateWithHooks, type RunHook } from "../../../src/rule/evaluate-rules.ts";
import type { RuleText } from "../../../src/rule/load-rules.ts";
import type { RuleSet } from "../../../src/rule/rule-set.ts";
import type { PlainDecision } from "./rules.ts";
import { type PlainSet, type Spelling, writeYaml } from "./yaml.ts";

/** The texts of the files of a set. */
export function textsOf({ files }: PlainSet, spell?: () => Spelling): readonly RuleText[] {
  return files.map((file) => ({ name: file.name, text: writeYaml(file, spell) }));
}

/** The engine's decision, and the rules that it warns about. */
export async function decideCompiled(set: RuleSet, hooks: PlainSet["hooks"], context: Context): Promise<PlainDecision> {
  const runHook: RunHook = (rule) => {
    const output = hooks[rule.enrich?.script ?? ""] ?? null;
    return Promise.resolve(output === null ? err("failed") : ok(output));
  };
  const turn = { requester: "test", signal: new AbortController().signal };
  const { decision, warnings } = await evaluateWithHooks(set, context, { runHook, turn });
  return { ...decision, warned: warnings.map(({ rule }) => rule) };
}
