// Random rule sets of conditions that the index can use, of parts that fail and of expensive parts: the decision, the
// rule, the hooks and the warnings are the same with and without the index.
import { expect, test } from "bun:test";
import { CONDITION_STEPS } from "../../src/cel/limits.ts";
import { evaluateWithHooks, type Evaluation } from "../../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { withoutIndex } from "../../src/rule/rule-set.ts";
import { lookupContext, lookupFile } from "../support/generate/lookup.ts";
import { CASES } from "../support/cases.ts";
import { seededRandom } from "../support/random.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
/** Loading costs more than evaluating, so each set is used several times. */
const CONTEXTS = 20;

function summary({ decision, warnings, hooks, enriched }: Evaluation): object {
  return { decision, warnings, hooks: hooks.map((rule) => rule.id), enriched };
}

function says({ warnings }: Evaluation, text: string): number {
  return warnings.some(({ message }) => message.includes(text)) ? 1 : 0;
}

test(`with and without the index: the same (seed ${SEED}, ${CASES} cases)`, async () => {
  const random = seededRandom(SEED);
  const seen = { evaluated: 0, plain: 0, allow: 0, block: 0, warned: 0, hooks: 0, overLimit: 0, spent: 0 };
  for (let index = 0; index < CASES;) {
    const text = lookupFile(random);
    const { set, findings } = loadRuleFiles([{ name: "a.yaml", text }]);
    if (set === null) throw new Error(`${text}\n${JSON.stringify(findings)}`);
    for (let each = 0; each < CONTEXTS; each++, index++) {
      const context = lookupContext(random);
      const fails = random.below(2) === 0;
      const options = {
        turn: { requester: "test", signal: new AbortController().signal },
        runHook: () =>
          Promise.resolve(fails ? { ok: false as const, error: "no" } : { ok: true as const, value: { k: "a" } }),
      };
      const looked = await evaluateWithHooks(set, context, options);
      const plain = await evaluateWithHooks(withoutIndex(set), context, options);
      if (!Bun.deepEquals(summary(looked), summary(plain))) {
        const found = JSON.stringify({ context, looked: summary(looked), plain: summary(plain) });
        throw new Error(`seed ${SEED}, case ${index}:\n${text}\n${found}`);
      }
      expect(looked.evaluated).toBeLessThanOrEqual(plain.evaluated);
      seen.evaluated += looked.evaluated;
      seen.plain += plain.evaluated;
      seen[plain.decision.decision]++;
      seen.warned += plain.warnings.length;
      seen.hooks += plain.hooks.length;
      seen.overLimit += says(plain, `over ${CONDITION_STEPS} steps`);
      seen.spent += says(plain, "evaluation is over its step limit");
    }
  }
  console.log(`index: seed ${SEED}, ${JSON.stringify(seen)}`);
  // The index must skip rules, and every kind of outcome must occur.
  expect(seen.evaluated).toBeLessThan(0.8 * seen.plain);
  for (const count of [seen.allow, seen.block, seen.warned, seen.hooks]) expect(count).toBeGreaterThan(CASES / 20);
  if (CASES >= 1000) expect(seen.overLimit).toBeGreaterThan(CASES / 1000);
  if (CASES >= 10_000) expect(seen.spent).toBeGreaterThan(0);
}, 10_000 + 10 * CASES);
