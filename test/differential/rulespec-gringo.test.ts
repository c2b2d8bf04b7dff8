// Random rulespecs and envelopes: gringo gives every predicate the same status as the typed evaluation. A text that
// escaped from a symbol or a comment would give a program that gringo refuses or reads differently.
import { describe, expect, test } from "bun:test";
import { formatProgram } from "../../src/datalog/format-program.ts";
import { parseProgram } from "../../src/datalog/parse-program.ts";
import { STATUS_RELATIONS } from "../../src/rulespec/run-program.ts";
import { OPERATOR_VERIFY, verify } from "../../src/rulespec/verify-envelope.ts";
import { generateRulespec, loadGenerated } from "../support/generate/rulespec.ts";
import { ground, needsGringo } from "../support/rulespec/gringo.ts";
import { seededRandom } from "../support/random.ts";
import { roundsOf } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
/** Each program runs in a process of its own. */
const PROGRAMS = roundsOf(600, 60);
const TIMEOUT_MS = 20_000 + 200 * PROGRAMS;

const needed = needsGringo("generated programs");

describe.skipIf(needed.skip)(needed.label, () => {
  test(`gringo agrees with the typed evaluation (seed ${SEED}, ${PROGRAMS} programs)`, () => {
    const random = seededRandom(SEED);
    const seen = new Map<string, number>();
    for (let index = 0; index < PROGRAMS; index++) {
      const generated = generateRulespec(random, { predicates: 8, hostile: index % 2 === 0 });
      const verification = verify(loadGenerated(generated), generated.facts, OPERATOR_VERIFY);
      if (!verification.ok) throw new Error(verification.error.message);
      const { answers, program } = verification.value;
      const statements = parseProgram(program);
      if (!statements.ok) throw new Error(statements.error.message);
      const found = [...ground(formatProgram(statements.value, "asp"))].filter((atom) => atom.startsWith("pred_"));
      const given = answers.map(({ index, status }) => `${STATUS_RELATIONS[status]}(${index})`);
      expect({ seed: SEED, index, generated, found: found.sort() })
        .toEqual({ seed: SEED, index, generated, found: given.sort() });
      for (const { status } of answers) seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    for (const status of ["pass", "fail", "skip"]) expect(seen.get(status) ?? 0).toBeGreaterThan(PROGRAMS / 10);
  }, TIMEOUT_MS);
});
