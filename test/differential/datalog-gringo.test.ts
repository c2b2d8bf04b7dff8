// Random Datalog programs: the engine and gringo derive the same facts. The programs are recursive, negate derived
// relations, and repeat variables and constants in every position.
import { describe, expect, test } from "bun:test";
import { checkProgram } from "../../src/datalog/check-program.ts";
import { evaluateProgram } from "../../src/datalog/fixed-point.ts";
import { formatProgram, formatStatement } from "../../src/datalog/format-program.ts";
import type { Atom, Literal, Statement, Term } from "../../src/datalog/statement.ts";
import { AMPLE } from "../support/rulespec/datalog.ts";
import { ground, needsGringo } from "../support/rulespec/gringo.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { roundsOf } from "../support/cases.ts";

const SEED = Number(process.env["OUTCALL_SEED"] ?? Date.now() % 1_000_000_000);
/** Each program runs in a process of its own. */
const PROGRAMS = roundsOf(500, 60);
const TIMEOUT_MS = 10_000 + 200 * PROGRAMS;

const RELATIONS = [
  { relation: "a", columns: 1 },
  { relation: "b", columns: 2 },
  { relation: "c", columns: 3 },
  { relation: "d", columns: 1 },
  { relation: "e", columns: 2 },
  { relation: "f", columns: 3 },
  { relation: "g", columns: 2 },
] as const;
/** Relations from here on are derived, and negate only earlier relations. */
const FIRST_DERIVED = 3;
const VARIABLES = ["X", "Y", "Z", "W"];

const needed = needsGringo("random programs");

describe.skipIf(needed.skip)(needed.label, () => {
  test(`the engine agrees with gringo (seed ${SEED}, ${PROGRAMS} programs)`, () => {
    const random = seededRandom(SEED);
    let derived = 0;
    for (let index = 0; index < PROGRAMS; index++) {
      const statements = generate(random);
      const checked = checkProgram(statements);
      if (!checked.ok) throw new Error(`seed ${SEED}, program ${index}: ${checked.error[0]?.message}`);
      const model = evaluateProgram(checked.value, AMPLE);
      if (!model.ok) throw new Error(model.error.message);
      const { tuples } = model.value;
      const own = RELATIONS.flatMap(({ relation }) =>
        tuples(relation).map((values) =>
          formatStatement({ kind: "fact", relation, values }, "asp").replaceAll(", ", ",")
        )
      ).map((line) => line.replace(/\.$/, ""));
      const text = formatProgram(statements, "asp");
      expect({ seed: SEED, index, text, holds: own.sort() })
        .toEqual({ seed: SEED, index, text, holds: [...ground(text)].sort() });
      derived += own.length - new Set(checked.value.facts.map((fact) => formatStatement(fact, "asp"))).size;
    }
    // Programs that derive nothing would always agree.
    expect(derived).toBeGreaterThan(2 * PROGRAMS);
  }, TIMEOUT_MS);
});

function generate(random: Random): readonly Statement[] {
  const statements: Statement[] = RELATIONS.map(({ relation, columns }) => ({
    kind: "declaration",
    relation,
    columns: Array.from({ length: columns }, (_, at) => ({ name: `c${at}`, type: "number" })),
  }));
  for (let count = 4 + random.below(30); count > 0; count--) {
    const { relation, columns } = random.pick(RELATIONS.slice(0, FIRST_DERIVED + 1));
    statements.push({ kind: "fact", relation, values: Array.from({ length: columns }, () => random.below(5)) });
  }
  for (let count = 3 + random.below(9); count > 0; count--) {
    statements.push(generateRule(random, FIRST_DERIVED + random.below(RELATIONS.length - FIRST_DERIVED)));
  }
  return statements;
}

function generateRule(random: Random, level: number): Statement {
  const body: Literal[] = [];
  const bound = new Set<string>();
  for (let count = 1 + random.below(3); count > 0; count--) {
    const atom = generateAtom(random, random.below(level + 1), [...VARIABLES, "_"]);
    for (const term of atom.terms) if (typeof term === "object" && term.variable !== "_") bound.add(term.variable);
    body.push({ kind: "atom", atom });
  }
  const known = [...bound];
  if (random.below(3) === 0) body.push({ kind: "not", atom: generateAtom(random, random.below(level), known) });
  if (random.below(3) === 0) body.push({ kind: "differ", left: termOf(random, known), right: termOf(random, known) });
  // Comparisons are placed anywhere between the atoms.
  body.sort(() => random.below(3) - 1);
  return { kind: "rule", head: generateAtom(random, level, known), body };
}

function generateAtom(random: Random, at: number, names: readonly string[]): Atom {
  const { relation, columns } = RELATIONS[at] ?? RELATIONS[0];
  return { relation, terms: Array.from({ length: columns }, () => termOf(random, names)) };
}

function termOf(random: Random, names: readonly string[]): Term {
  return names.length === 0 || random.below(5) === 0 ? random.below(5) : { variable: random.pick(names) };
}
