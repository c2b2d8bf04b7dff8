// Random rulespecs and envelopes: the typed evaluation and the Datalog engine on the generated program give every
// predicate the same status. The envelope is written as text and read again.
import { expect, test } from "bun:test";
import { AGENT_TEXT } from "../../src/rulespec/read-yaml.ts";
import { parseEnvelope } from "../../src/rulespec/parse-envelope.ts";
import { formatYaml } from "../../src/rulespec/format-yaml.ts";
import { RULES } from "../../src/wire/rulespec-file.ts";
import { OPERATOR_VERIFY, verify } from "../../src/rulespec/verify-envelope.ts";
import { generateRulespec, loadGenerated } from "../support/generate/rulespec.ts";
import { seededRandom } from "../support/random.ts";
import { CASES } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
const TIMEOUT_MS = 20_000 + 10 * CASES;
/** Each program has a fixed part of a hundred rules, so each rulespec has several predicates; each counts as a case. */
const PREDICATES = 4;

test(`random rulespecs: both evaluations agree (seed ${SEED}, ${CASES} cases)`, () => {
  const random = seededRandom(SEED);
  const seen = new Map<string, number>();
  for (let index = 0; index < CASES; index += PREDICATES) {
    const generated = generateRulespec(random, { predicates: PREDICATES, hostile: random.below(4) === 0 });
    const rulespec = loadGenerated(generated);
    const envelope = parseEnvelope("envelope", formatYaml({ facts: generated.facts }), AGENT_TEXT);
    if (!envelope.ok) throw new Error(JSON.stringify(envelope.error));
    const verification = verify(rulespec, envelope.value.facts, OPERATOR_VERIFY);
    if (!verification.ok) {
      const { message } = verification.error;
      throw new Error(`seed ${SEED}, case ${index}: ${message}\n${JSON.stringify(generated)}`);
    }
    for (const { status, predicate } of verification.value.answers) {
      const key = `${predicate.test.rule} ${status}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
  }
  const rare = RULES.flatMap((rule) => ["pass", "fail", "skip"].map((status) => `${rule} ${status}`))
    .filter((key) => (seen.get(key) ?? 0) < CASES / 1000);
  console.log(`rulespec differential: seed ${SEED}, ${JSON.stringify(Object.fromEntries([...seen].sort()))}`);
  expect(rare).toEqual([]);
}, TIMEOUT_MS);
