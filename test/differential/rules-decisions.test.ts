// Random rule sets and requests: the compiled engine and the plain evaluator give the same decision, by the same rule,
// with warnings about the same rules.
import { expect, test } from "bun:test";
import { evaluateRules, evaluateWithHooks, type Evaluation, type HookOptions } from "../../src/rule/evaluate-rules.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { withoutIndex } from "../../src/rule/rule-set.ts";
import { generateContext } from "../support/generate/context.ts";
import { type GeneratedSet, generateSet, writeFiles } from "../support/generate/rules.ts";
import { caseText, type GeneratedCase, keepCase, shrink } from "../support/generate/shrink.ts";
import { decidePlain, orderPlain, PLAIN_NOW_MS, type PlainDecision } from "../support/plain/rules.ts";
import { seededRandom } from "../support/random.ts";
import { CASES } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
const TIMEOUT_MS = 10_000 + 10 * CASES;
/** Loading costs more than evaluating, so each set is used several times. */
const CONTEXTS = 20;

const TURN = { requester: "test", signal: new AbortController().signal };

function hooksOf({ hooks }: GeneratedSet): HookOptions {
  return {
    turn: TURN,
    nowMs: PLAIN_NOW_MS,
    runHook: (rule) => {
      const output = hooks[rule.enrich?.script ?? ""] ?? null;
      return Promise.resolve(output === null ? { ok: false, error: "it fails" } : { ok: true, value: output });
    },
  };
}

function summary({ decision, warnings }: Evaluation): PlainDecision {
  return { ...decision, warned: warnings.map(({ rule }) => rule) };
}

async function disagrees(given: GeneratedCase): Promise<boolean> {
  const { set } = loadRuleFiles(writeFiles(given.files));
  if (set === null) return false;
  const engine = summary(await evaluateWithHooks(set, given.context, hooksOf(given)));
  const plain = decidePlain(orderPlain(given.files), given.context, (script) => given.hooks[script] ?? null);
  return !Bun.deepEquals(engine, plain);
}

test(`random rule sets: the engine decides as the plain evaluator does (seed ${SEED}, ${CASES} cases)`, async () => {
  const random = seededRandom(SEED);
  const seen = new Map<string, number>();
  const count = (key: string): void => void seen.set(key, (seen.get(key) ?? 0) + 1);
  for (let index = 0; index < CASES;) {
    const generated = generateSet(random);
    const { set } = loadRuleFiles(writeFiles(generated.files, random));
    count(set === null ? "not loaded" : "loaded");
    if (set === null) continue;
    const rules = orderPlain(generated.files);
    expect(set.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    for (let each = 0; each < CONTEXTS; each++, index++) {
      const context = generateContext(random);
      const plain = decidePlain(rules, context, (script) => generated.hooks[script] ?? null);
      const engine = summary(await evaluateWithHooks(set, context, hooksOf(generated)));
      if (!Bun.deepEquals(engine, plain)) {
        const text = caseText(await shrink({ ...generated, context }, disagrees), `seed ${SEED}, case ${index}`);
        keepCase(text);
        throw new Error(`seed ${SEED}, case ${index}: ${JSON.stringify({ engine, plain })}\n${text}`);
      }
      expect(summary(await evaluateWithHooks(withoutIndex(set), context, hooksOf(generated)))).toEqual(engine);
      // Without hooks, each enrich rule counts as failed.
      expect(summary(evaluateRules(set, context, PLAIN_NOW_MS))).toEqual(decidePlain(rules, context, () => null));
      const by = plain.matched_rule === null ? "no rule" : "a rule";
      count(`${plain.decision} by ${by}${plain.warned.length === 0 ? "" : ", warned"}`);
    }
  }
  console.log(`rules differential: seed ${SEED}, ${JSON.stringify(Object.fromEntries(seen))}`);
  expect(seen.get("loaded") ?? 0).toBeGreaterThan(10 * (seen.get("not loaded") ?? 0));
  for (const by of ["allow by a rule", "block by a rule", "block by no rule"]) {
    expect(seen.get(by) ?? 0, by).toBeGreaterThan(CASES / 50);
    expect(seen.get(`${by}, warned`) ?? 0, by).toBeGreaterThan(CASES / 100);
  }
}, TIMEOUT_MS);
