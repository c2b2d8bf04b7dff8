// The compiled engine against the plain evaluator, on random rule sets and requests.
import { describe, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { HookRunner } from "../../src/hook/runner.ts";
import { evaluateWithHooks } from "../../src/rule/evaluate.ts";
import { loadRules } from "../../src/rule/load.ts";
import { completeContext, ContextSchema } from "../../src/wire/context.ts";
import { decode } from "../../src/wire/decode.ts";
import { type ConformanceCase, readCases, removeCase, writeCase } from "../support/conformance.ts";
import { compare, open, type PlainCase, shrink } from "../support/plain-compare.ts";
import { randomContext } from "../support/plain-contexts.ts";
import { conformanceCase, SPELLINGS } from "../support/plain-yaml.ts";
import { seededRandom } from "../support/random.ts";
import { RuleSets } from "../support/rule-sets.ts";

const CASES = Number(process.env["OUTCALL_CASES"] ?? "1000");
const TIMEOUT_MS = 10_000 + 10 * CASES;
const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);

/** Requests for one set; loading a set takes as long as many of them. */
const CONTEXTS = 10;

const FOUND = join(import.meta.dirname, "..", "conformance", "found.yaml");
const found: readonly ConformanceCase[] = existsSync(FOUND) ? readCases(FOUND) : [];

describe("cases that were found before", () => {
  for (const each of found) {
    test(each.note, async () => {
      const dir = writeCase(each);
      try {
        await expectDecisions(each, dir);
      } finally {
        removeCase(dir);
      }
    });
  }
});

async function expectDecisions({ requests = [] }: ConformanceCase, dir: string): Promise<void> {
  const { set } = loadRules({ dir, trust: "owner" });
  if (set === null) throw new Error("the set does not load");
  const hooks = new HookRunner(dir);
  const turn = { asker: "test", signal: new AbortController().signal };
  for (const { context, decision, rule, file } of requests) {
    const decoded = decode(ContextSchema, context);
    if (!decoded.ok) throw new Error(decoded.error.message);
    const evaluation = await evaluateWithHooks(set, decoded.value, { runHook: (...run) => hooks.run(...run), turn });
    expect(evaluation.decision).toMatchObject({ decision, matched_rule: rule, file });
  }
  await hooks.close();
}

test(`random rule sets decide as the plain evaluator does (seed ${SEED}, ${CASES} cases)`, async () => {
  const random = seededRandom(SEED);
  const sets = new RuleSets(random);
  const counts = { sets: 0, refused: 0, cases: 0, byRule: 0, allowed: 0, warned: 0 };
  while (counts.cases < CASES) {
    const set = sets.set();
    const opened = open(set, () => random.pick(SPELLINGS));
    counts.sets++;
    if (opened === null) {
      counts.refused++;
      continue;
    }
    for (let index = 0; index < CONTEXTS; index++) {
      const context = randomContext(random);
      const { compiled, differ } = await compare(opened, context);
      if (differ) await reportDifference({ set, context });
      counts.cases++;
      if (compiled.matched_rule !== null) counts.byRule++;
      if (compiled.decision === "allow") counts.allowed++;
      if (compiled.warned.length > 0) counts.warned++;
    }
  }
  console.log(`rules differential: seed ${SEED}, ${JSON.stringify(counts)}`);
  expect(counts.refused).toBeLessThan(counts.sets / 5 + 3);
  for (const seen of [counts.byRule, counts.allowed, counts.warned]) expect(seen).toBeGreaterThan(CASES / 200);
}, TIMEOUT_MS);

async function reportDifference(differing: PlainCase): Promise<never> {
  const smallest = await complete(await shrink(differing));
  const opened = open(smallest.set);
  if (opened === null) throw new Error("a smaller case loads");
  const { compiled, plain } = await compare(opened, smallest.context);
  const { decision, matched_rule: rule, file } = plain;
  const request = { context: { ...smallest.context }, decision, rule, file };
  const text = stringify([...found, conformanceCase(`found with seed ${SEED}`, smallest.set, request)]);
  if (process.env["CI"] !== "true") writeFileSync(FOUND, text);
  throw new Error(`engine: ${JSON.stringify(compiled)}\nplain:  ${JSON.stringify(plain)}\n${text}`);
}

// A case for everyone says what the host API would add to its request, unless the difference goes with that.
async function complete(smallest: PlainCase): Promise<PlainCase> {
  const context = completeContext(smallest.context);
  const opened = open(smallest.set);
  return opened !== null && (await compare(opened, context)).differ ? { ...smallest, context } : smallest;
}
