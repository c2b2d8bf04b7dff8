// Random sets of conditions that can be looked up, mixed with parts that fail: with and without the index the decision is
// the same, by the same rule, with the same hooks and the same warnings.
import { expect, test } from "bun:test";
import type { Context } from "../../src/core/context.ts";
import { evaluateWithHooks, type Evaluation } from "../../src/rule/evaluate-rules.ts";
import { INDEXED_ELEMENTS, INDEXED_PATTERN_LENGTH, INDEXED_TEXT_LENGTH } from "../../src/rule/lookup-limits.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { withoutIndex } from "../../src/rule/rule-set.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { CASES } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
/** Loading costs more than evaluating, so a set is asked several times. */
const CONTEXTS = 20;

const WORDS = ["a", "ab", "b", "ba", "c", ""] as const;

/** Parts of conditions: most can be looked up, some fail, some only look as if they could be. */
const LEAVES: readonly ((word: string, other: string) => string)[] = [
  (word) => `network.hostname == "${word}"`,
  (word) => `"${word}" == run.tool`,
  (word, other) => `network.hostname in ["${word}", "${other}"]`,
  () => "run.tool in []",
  () => "network.port in []",
  () => "network.port == 443",
  () => "network.port in [22, 443]",
  () => "network.port == 443 || network.port == 0",
  (word) => `"${word}" in run.args`,
  (word) => `run.args.exists(x, x == "${word}")`,
  (word) => `run.args.exists(x, "${word}" == x)`,
  (word) => `run.args.all(x, x == "${word}")`,
  (word) => `http.path.startsWith("${word}")`,
  (word) => `http.path.endsWith("${word}")`,
  (word) => `http.path.matches("^${word}")`,
  (word) => `http.path.matches("^${word}b?$")`,
  (word) => `http.path.matches("^${word}|b")`,
  (word) => `http.headers["k"] == "${word}"`,
  (word) => `"k" in http.headers && http.headers["k"] == "${word}"`,
  (word) => `http.headers["k"] == "${word}" && has(http.headers.k)`,
  (word) => `metadata["k"] == "${word}"`,
  (word) => `"k" in metadata && metadata.k == "${word}"`,
  () => `metadata["k"] == 1`,
  () => `metadata["k"] == 1u`,
  () => `metadata["k"] == -0.0`,
  (word) => `run.args.exists(target, target == "${word}")`,
  () => "1 / 0 == 1",
  (word) => `run.context["k"] == "${word}"`,
  (word) => `"k" in run.context && run.context["k"] == "${word}"`,
  (word) => `enriched["k"] == "${word}"`,
  () => "run.parsed",
  () => "!run.parsed",
  () => "envelope.verified",
  () => "has(run.cwd)",
  () => "has(metadata.k)",
  () => `int(run.tool) == 1`,
  () => "false",
  (word) => `target == "${word}"`,
  (word) => `run.tool != "${word}"`,
  (word) => `agent.labels["k"] == "${word}"`,
];

function condition(random: Random, depth = 0): string {
  if (depth === 3 || random.below(3) === 0) return random.pick(LEAVES)(random.pick(WORDS), random.pick(WORDS));
  const part = () => `(${condition(random, depth + 1)})`;
  switch (random.below(8)) {
    case 0:
      return `!${part()}`;
    case 1:
      return `${part()} ? ${part()} : ${part()}`;
    case 2:
    case 3:
      return `${part()} || ${part()}`;
    case 4:
      return `${part()} && ${part()} && ${part()}`;
    default:
      return `${part()} && ${part()}`;
  }
}

function fileOf(random: Random): string {
  const rules = Array.from({ length: 1 + random.below(20) }, (_, at) => {
    const action = random.pick(["allow", "allow", "block", "block", "enrich"]);
    const enrich = action === "enrich" ? ", enrich: {script: a.sh}" : "";
    const text = condition(random).replaceAll("'", "''");
    return `  - {id: r${at}, priority: ${random.below(3)}, condition: '${text}', action: ${action}${enrich}}\n`;
  });
  return `version: "1"\nrules:\n${rules.join("")}`;
}

// A text or list over what is looked up, now and then.
function textOf(random: Random): string {
  const word = random.pick(WORDS);
  const length = random.below(50) === 0 ? random.pick([INDEXED_TEXT_LENGTH, INDEXED_PATTERN_LENGTH]) : 0;
  return word + "a".repeat(length === 0 ? 0 : length + random.below(3) - 1);
}

function contextOf(random: Random): Context {
  const maybe = <T>(name: string, value: T): Record<string, T> => (random.below(4) === 0 ? {} : { [name]: value });
  const list = () => {
    const length = random.below(100) === 0 ? INDEXED_ELEMENTS + random.below(3) - 1 : random.below(4);
    return Array.from({ length }, () => random.pick(WORDS));
  };
  return {
    ...maybe("network", { ...maybe("hostname", textOf(random)), ...maybe("port", random.pick([0, 22, 443])) }),
    ...maybe("http", { ...maybe("path", textOf(random)), ...maybe("headers", maybe("k", textOf(random))) }),
    ...maybe("run", {
      ...maybe("tool", textOf(random)),
      ...maybe("args", list()),
      ...maybe("parsed", random.below(2) === 0),
      ...maybe("context", maybe("k", random.pick(WORDS))),
    }),
    ...maybe("agent", maybe("labels", maybe("k", random.pick(WORDS)))),
    ...maybe("envelope", { verified: random.below(2) === 0 }),
    ...maybe("metadata", maybe<string | number | boolean>("k", random.pick(["a", "b", "", 1, 1.5, true]))),
    ...maybe("target", textOf(random)),
  };
}

function summary({ decision, warnings, hooks, enriched }: Evaluation): object {
  return { decision, warnings, hooks: hooks.map((rule) => rule.id), enriched };
}

test(`with and without the index: the same (seed ${SEED}, ${CASES} cases)`, async () => {
  const random = seededRandom(SEED);
  const seen = { evaluated: 0, plain: 0, allow: 0, block: 0, warned: 0, hooks: 0 };
  for (let index = 0; index < CASES;) {
    const text = fileOf(random);
    const { set, findings } = loadRuleFiles([{ name: "a.yaml", text }]);
    if (set === null) throw new Error(`${text}\n${JSON.stringify(findings)}`);
    for (let each = 0; each < CONTEXTS; each++, index++) {
      const context = contextOf(random);
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
    }
  }
  console.log(`index: seed ${SEED}, ${JSON.stringify(seen)}`);
  // The index must do something, and every kind of outcome must occur.
  expect(seen.evaluated).toBeLessThan(0.8 * seen.plain);
  for (const count of [seen.allow, seen.block, seen.warned, seen.hooks]) expect(count).toBeGreaterThan(CASES / 20);
}, 10_000 + 10 * CASES);
