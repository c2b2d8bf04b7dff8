import { describe, expect, test } from "bun:test";
import { checkProgram } from "../../src/datalog/check-program.ts";
import { evaluateProgram } from "../../src/datalog/fixed-point.ts";
import type { Statement } from "../../src/datalog/statement.ts";
import { parseProgram } from "../../src/datalog/parse-program.ts";
import { AMPLE, modelOf, tuplesOf } from "../support/rulespec/datalog.ts";
import { seededRandom } from "../support/random.ts";

const GRAPH = ".decl edge(a: number, b: number)\n.decl path(a: number, b: number)\n";

describe("transitive closure", () => {
  const shapes = [
    { note: "right-recursive", rules: "path(X, Y) :- edge(X, Y).\npath(X, Z) :- edge(X, Y), path(Y, Z).\n" },
    { note: "left-recursive", rules: "path(X, Y) :- edge(X, Y).\npath(X, Z) :- path(X, Y), edge(Y, Z).\n" },
    { note: "twice recursive", rules: "path(X, Y) :- edge(X, Y).\npath(X, Z) :- path(X, Y), path(Y, Z).\n" },
  ];
  for (const { note, rules } of shapes) {
    test(`${note}: what a search finds from each node`, () => {
      const random = seededRandom(7);
      const edges = Array.from({ length: 120 }, () => [random.below(60), random.below(60)] as const);
      const facts = edges.map(([a, b]) => `edge(${a}, ${b}).\n`).join("");
      const reached = Array.from({ length: 60 }, (_, from) => {
        const seen = new Set<number>();
        const waiting = [from];
        for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
          for (const [a, b] of edges) {
            if (a !== node || seen.has(b)) continue;
            seen.add(b);
            waiting.push(b);
          }
        }
        return [...seen].map((to) => `${from},${to}`);
      }).flat().sort();
      expect(reached.length).toBeGreaterThan(500);
      expect(tuplesOf(`${GRAPH}${facts}${rules}`, "path")).toEqual(reached);
    });
  }

  test("a chain, semi-naively: the number of steps is linear in the derived facts, not quadratic", () => {
    const facts = Array.from({ length: 300 }, (_, at) => `edge(${at}, ${at + 1}).\n`).join("");
    const { steps, tuples } = modelOf(
      `${GRAPH}${facts}path(X, Y) :- edge(X, Y).\npath(X, Z) :- edge(X, Y), path(Y, Z).\n`,
    );
    expect(tuples("path")).toHaveLength((300 * 301) / 2);
    expect(steps).toBeLessThan(3 * 300 * 301);
  });
});

test("same generation: cousins of a tree, however far apart", () => {
  const parents = Array.from({ length: 14 }, (_, at) => `parent(${at + 1}, ${Math.floor(at / 2)}).\n`).join("");
  const program = `.decl parent(child: number, parent: number)
.decl same(a: number, b: number)
${parents}same(X, Y) :- parent(X, P), parent(Y, P), X != Y.
same(X, Y) :- parent(X, A), same(A, B), parent(Y, B).
`;
  const level = (node: number): number => Math.floor(Math.log2(node + 1));
  const nodes = Array.from({ length: 15 }, (_, at) => at);
  const expected = nodes.flatMap((a) => nodes.filter((b) => b !== a && level(a) === level(b)).map((b) => `${a},${b}`));
  expect(tuplesOf(program, "same")).toEqual(expected.sort());
});

describe("evaluateProgram", () => {
  const declared = `.decl p(a: number)
.decl q(a: number)
.decl r(a: number, b: number)
.decl s(a: symbol)
.decl t(a: number, b: symbol, c: number)
`;
  const cases = [
    { note: "a fact twice counts once", text: "p(1).\np(1).\n", of: "p", gives: ["1"] },
    { note: "negation", text: "p(1).\np(2).\nq(2).\nr(X, X) :- p(X), !q(X).\n", of: "r", gives: ["1,1"] },
    {
      note: "negation of what rules derive",
      text: 'p(1).\np(2).\np(3).\nr(1, 2).\nq(Y) :- p(X), r(X, Y).\ns("x") :- p(X), !q(X).\n',
      of: "s",
      gives: ["x"],
    },
    { note: "a variable twice in an atom", text: "r(1, 1).\nr(1, 2).\np(X) :- r(X, X).\n", of: "p", gives: ["1"] },
    {
      note: "a constant in an atom",
      text: "r(1, 2).\nr(3, 2).\nr(3, 4).\np(X) :- r(X, 2).\n",
      of: "p",
      gives: ["1", "3"],
    },
    { note: "anything", text: "r(1, 2).\nr(1, 3).\np(X) :- r(X, _).\n", of: "p", gives: ["1"] },
    { note: "anything twice is two things", text: "r(1, 2).\np(7) :- r(_, _).\n", of: "p", gives: ["7"] },
    { note: "a body without variables", text: "p(1).\nq(2) :- p(1), !p(3).\n", of: "q", gives: ["2"] },
    { note: "a body that is only a negation", text: "q(2) :- !p(3).\n", of: "q", gives: ["2"] },
    { note: "a constant in a head", text: "p(1).\np(2).\nq(9) :- p(X), X != 1.\n", of: "q", gives: ["9"] },
    { note: "constants that do not differ", text: "q(9) :- p(1), 1 != 1.\np(1).\n", of: "q", gives: [] },
    { note: "a symbol is no number", text: 's("1").\np(1).\nq(X) :- p(X), s("1").\n', of: "q", gives: ["1"] },
    {
      note: "three columns, by the middle one",
      text: 't(1, "a", 2).\nt(3, "b", 4).\nt(5, "a", 6).\nr(X, Y) :- t(X, "a", Y).\n',
      of: "r",
      gives: ["1,2", "5,6"],
    },
    {
      note: "relations that derive each other",
      text: "p(1).\nr(1, 2).\nr(2, 3).\nq(Y) :- p(X), r(X, Y).\np(Y) :- q(X), r(X, Y).\n",
      of: "p",
      gives: ["1", "3"],
    },
    { note: "a relation that nothing is said of", text: "p(1).\n", of: "q", gives: [] },
    { note: "a relation that is not there", text: "p(1).\n", of: "nope", gives: [] },
    {
      note: "three strata",
      text:
        'p(1).\np(2).\np(3).\nq(X) :- p(X), X != 2.\nr(X, 1) :- p(X), !q(X).\ns("none") :- p(2), !r(2, 1).\ns("one") :- !r(1, 1).\n',
      of: "s",
      gives: ["one"],
    },
  ];
  for (const { note, text, of, gives } of cases) {
    test(note, () => expect(tuplesOf(`${declared}${text}`, of)).toEqual(gives));
  }

  test("10^5 facts and rules over them", () => {
    const count = 100_000;
    const statements: Statement[] = [...parse(`${GRAPH}.decl odd(a: number)\n.decl even(a: number)\n`)];
    for (let at = 0; at < count; at++) statements.push({ kind: "fact", relation: "edge", values: [at, at + 1] });
    statements.push(
      ...parse("even(0) :- edge(0, 1).\nodd(Y) :- even(X), edge(X, Y).\neven(Y) :- odd(X), edge(X, Y).\n"),
    );
    const checked = checkProgram(statements);
    if (!checked.ok) throw new Error(checked.error[0]?.message);
    const model = evaluateProgram(checked.value, AMPLE);
    if (!model.ok) throw new Error(model.error.message);
    expect(model.value.tuples("even")).toHaveLength(count / 2 + 1);
    expect(model.value.tuples("odd").at(-1)).toEqual([count - 1]);
    expect(model.value.facts).toBe(2 * count + 1);
  });

  const closed = parse(
    `${GRAPH}edge(1, 2).\nedge(2, 3).\npath(X, Y) :- edge(X, Y).\npath(X, Z) :- edge(X, Y), path(Y, Z).\n`,
  );
  const { facts, steps } = modelOf(
    `${GRAPH}edge(1, 2).\nedge(2, 3).\npath(X, Y) :- edge(X, Y).\npath(X, Z) :- edge(X, Y), path(Y, Z).\n`,
  );
  const bounds = [
    { note: "at both limits", limits: { facts, steps }, says: undefined },
    { note: "one fact over", limits: { facts: facts - 1, steps }, says: `over ${facts - 1} facts` },
    { note: "one step over", limits: { facts, steps: steps - 1 }, says: `over ${steps - 1} steps of evaluation` },
    { note: "facts alone over", limits: { facts: 1, steps }, says: "over 1 facts" },
  ];
  for (const { note, limits, says } of bounds) {
    test(`limits: ${note}`, () => {
      const checked = checkProgram(closed);
      if (!checked.ok) throw new Error(checked.error[0]?.message);
      const model = evaluateProgram(checked.value, limits);
      expect(model.ok ? undefined : model.error).toEqual(
        says === undefined ? undefined : { code: "datalog.limit", message: says },
      );
    });
  }
});

function parse(text: string): readonly Statement[] {
  const statements = parseProgram(text);
  if (!statements.ok) throw new Error(statements.error.message);
  return statements.value;
}
