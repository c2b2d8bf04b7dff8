import { describe, expect, test } from "bun:test";
import { checkProgram } from "../../src/datalog/check-program.ts";
import { parseProgram } from "../../src/datalog/parse-program.ts";
import { refusalOf } from "../support/rulespec/datalog.ts";

const DECLARED = `.decl p(a: number)
.decl q(a: number)
.decl r(a: number, b: number)
.decl s(a: symbol)
`;

describe("checkProgram", () => {
  const refused = [
    { note: "an undeclared relation", line: "t(1).", says: 'undeclared relation "t"' },
    { note: "too many terms", line: "p(1, 2).", says: '2 terms for relation "p", which has 1 columns' },
    { note: "too few terms", line: "p(X) :- r(X).", says: '1 terms for relation "r", which has 2 columns' },
    { note: "a symbol for a number", line: 'p("1").', says: 'a symbol for a number of relation "p"' },
    { note: "a number for a symbol", line: "s(1).", says: 'a number for a symbol of relation "s"' },
    { note: "a variable of two types", line: "p(X) :- q(X), s(X).", says: 'a number for a symbol of relation "s"' },
    { note: "a comparison of two types", line: "p(X) :- q(X), s(Y), X != Y.", says: "a number compared with a symbol" },
    { note: "a head that nothing binds", line: "p(X) :- q(Y), Y != 1.", says: 'unbound variable "X"' },
    { note: "a negation that nothing binds", line: "p(X) :- q(X), !q(Y).", says: 'unbound variable "Y"' },
    { note: "anything in a negation", line: "p(X) :- q(X), !r(X, _).", says: 'unbound variable "_"' },
    { note: "anything in a head", line: "p(_) :- q(_).", says: 'unbound variable "_"' },
    { note: "a comparison that nothing binds", line: "p(X) :- q(X), X != Z.", says: 'unbound variable "Z"' },
    { note: "a second declaration", line: ".decl p(a: number)", says: 'relation "p" is declared twice' },
    { note: "an output of two columns", line: ".output r", says: "an output is a relation of one column" },
    { note: "an output of nothing", line: ".output t", says: "an output is a relation of one column" },
  ];
  for (const { note, line, says } of refused) {
    test(`refuses ${note}`, () => {
      const refusal = refusalOf(`${DECLARED}${line}\n`);
      expect(refusal?.code).toBe("datalog.program");
      expect(refusal?.message).toStartWith(says);
    });
  }

  test("reports all that is wrong at once", () => {
    const statements = parseProgram(`${DECLARED}t(1).\np(1, 2).\np(X) :- q(X), !p(X).\n`);
    if (!statements.ok) throw new Error(statements.error.message);
    const checked = checkProgram(statements.value);
    const codes = checked.ok ? [] : checked.error.map(({ code }) => code);
    expect(codes).toEqual(["datalog.program", "datalog.program", "datalog.stratification"]);
  });

  const circles = [
    { note: "of one", rules: "p(X) :- q(X), !p(X).", way: "p -> p" },
    { note: "of two, one negated", rules: "p(X) :- q(X), !r(X, X).\nr(X, X) :- p(X).", way: "p -> r -> p" },
    {
      note: "over three",
      rules: "p(X) :- q(X).\nq(X) :- p(X), r(X, X).\nr(X, X) :- p(X), p(X), !q(X).",
      way: "r -> q -> r",
    },
  ];
  for (const { note, rules, way } of circles) {
    test(`refuses a negated circle ${note}`, () => {
      expect(refusalOf(`${DECLARED}${rules}\n`)).toEqual({
        code: "datalog.stratification",
        message: `a relation depends on its own negation: ${way}`,
      });
    });
  }

  test("takes a circle without negation, and negation without a circle", () => {
    expect(refusalOf(`${DECLARED}p(X) :- q(X).\nq(X) :- p(X).\nr(X, X) :- q(X), !p(X).\n`)).toBeUndefined();
  });
});
