// If any part of any condition or definition fails, no block becomes an allow (S003-EC-012).
import { expect, test } from "bun:test";
import { formatTree } from "../../src/cel/format-tree.ts";
import { parse } from "../../src/cel/parse-expression.ts";
import type { Tree } from "../../src/cel/tree.ts";
import { invariant } from "../../src/core/invariant.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { allNodes, replaceNode } from "../support/cel/replace.ts";
import { decideCompiled, textsOf } from "../support/plain/compare.ts";
import { randomContext } from "../support/plain/contexts.ts";
import type { PlainSet } from "../support/plain/yaml.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { RuleSets } from "../support/rule/sets.ts";
import { CASES } from "../support/cases.ts";

const TIMEOUT_MS = 10_000 + 10 * CASES;
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
const CONTEXTS = 20;

// Expressions of several types, so that most positions accept one of them.
const FAILING = [
  `[][0]`,
  `1 / 0 == 1`,
  `{"a": "x"}.b`,
  `{"a": true}["b"]`,
  `9223372036854775807 + 1`,
  `"a".charAt(7)`,
  `["a"].map(v, v.substring(2))`,
  `bool("neither")`,
].map(tree);

function tree(text: string): Tree {
  const parsed = parse(text, { references: true });
  invariant(parsed.ok, "the texts of this test parse");
  return parsed.value.tree;
}

function broken(text: string, random: Random): string {
  const whole = tree(text);
  return formatTree(replaceNode(whole, random.pick(allNodes(whole)), random.pick(FAILING)));
}

// A set in which one part of a condition or definition fails, or null if there is no such part.
function breakOne(set: PlainSet, random: Random): PlainSet | null {
  const places = set.files.flatMap(({ rules, definitions }, file) => [
    ...rules.map((_, rule) => ({ file, rule, definition: "" })),
    ...Object.keys(definitions).map((definition) => ({ file, rule: -1, definition })),
  ]);
  if (places.length === 0) return null;
  const { file: at, rule: ruleAt, definition } = random.pick(places);
  const file = set.files[at];
  const rule = file?.rules[ruleAt];
  if (file === undefined) return null;
  const changed = rule === undefined
    ? {
      ...file,
      definitions: { ...file.definitions, [definition]: broken(file.definitions[definition] ?? "", random) },
    }
    : { ...file, rules: file.rules.with(ruleAt, { ...rule, condition: broken(rule.condition, random) }) };
  return { ...set, files: set.files.with(at, changed) };
}

test(`a failing part never turns a block into an allow (seed ${SEED}, ${CASES} cases)`, async () => {
  const random = seededRandom(SEED);
  const sets = new RuleSets(random);
  const counts = { cases: 0, blocked: 0, otherRule: 0, allowed: 0, noLongerAllowed: 0, refused: 0 };
  while (counts.cases < CASES) {
    const set = sets.set();
    const whole = loadRuleFiles(textsOf(set)).set;
    const changed = whole === null ? null : breakOne(set, random);
    const after = changed === null ? null : loadRuleFiles(textsOf(changed)).set;
    // The changed condition may be refused: a pattern must be a literal, and types must fit.
    if (changed !== null && after === null) counts.refused++;
    if (whole === null || changed === null || after === null) continue;
    for (let index = 0; index < CONTEXTS; index++) {
      const context = randomContext(random);
      const before = await decideCompiled(whole, set.hooks, context);
      const then = await decideCompiled(after, set.hooks, context);
      counts.cases++;
      if (before.decision === "allow") {
        counts.allowed++;
        if (then.decision === "block") counts.noLongerAllowed++;
        continue;
      }
      counts.blocked++;
      if (then.matched_rule !== before.matched_rule) counts.otherRule++;
      if (then.decision === "block") continue;
      const texts = textsOf(changed).map(({ name, text }) => `# ${name}\n${text}`).join("");
      throw new Error(`seed ${SEED}: ${JSON.stringify(context)} is allowed by\n${texts}`);
    }
  }
  console.log(`failing part: seed ${SEED}, ${JSON.stringify(counts)}`);
  expect(counts.blocked).toBeGreaterThan(0);
  expect(counts.otherRule + counts.noLongerAllowed).toBeGreaterThan(0);
}, TIMEOUT_MS);
