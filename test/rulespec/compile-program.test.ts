// The generated program: complete, executable, deterministic and typed, and no text can become part of its structure.
import { describe, expect, test } from "bun:test";
import { checkProgram } from "../../src/datalog/check-program.ts";
import { evaluateProgram } from "../../src/datalog/fixed-point.ts";
import { formatProgram } from "../../src/datalog/format-program.ts";
import { parseProgram } from "../../src/datalog/parse-program.ts";
import type { Fact, Statement } from "../../src/datalog/statement.ts";
import { formatJson } from "../../src/core/json.ts";
import { AMPLE } from "../support/rulespec/datalog.ts";
import { HOSTILE_TEXTS } from "../support/generate/rulespec.ts";
import { verified } from "../support/rulespec/rulespec.ts";
import { COMPLETE_ENVELOPE, COMPLETE_RULESPEC } from "../support/rulespec/complete.ts";

function statementsOf(program: string): readonly Statement[] {
  const statements = parseProgram(program);
  if (!statements.ok) throw new Error(statements.error.message);
  return statements.value;
}

function factsNamed(program: string, relation: string): readonly Fact["values"][] {
  return statementsOf(program).flatMap((each) =>
    each.kind === "fact" && each.relation === relation ? [each.values] : []
  );
}

const one = (selector: string, predicates: string): string =>
  `claims: [{name: c, selector: "${selector}"}]\npredicates: [${predicates}]\n`;

describe("compileProgram", () => {
  test("the same input gives the same bytes, and keys in another order the same answers", () => {
    const first = verified(COMPLETE_RULESPEC, COMPLETE_ENVELOPE);
    expect(verified(COMPLETE_RULESPEC, COMPLETE_ENVELOPE).program).toBe(first.program);
    const reordered = COMPLETE_ENVELOPE.replace("  api_changes:\n    breaking: false\n", "") +
      "  api_changes:\n    breaking: false\n";
    const reasons = ({ answers }: typeof first) => answers.map(({ status, reason }) => `${status}: ${reason}`);
    expect(reasons(verified(COMPLETE_RULESPEC, reordered))).toEqual(reasons(first));
  });

  test("is what our own parser reads back, byte for byte", () => {
    const { program } = verified(COMPLETE_RULESPEC, COMPLETE_ENVELOPE);
    expect(formatProgram(statementsOf(program), "souffle")).toBe(program);
  });

  test("passes, fails and skips are exactly the predicates, each once", () => {
    const { program, answers } = verified(
      COMPLETE_RULESPEC,
      COMPLETE_ENVELOPE.replace("breaking: false", "breaking: true"),
    );
    const checked = checkProgram(statementsOf(program));
    if (!checked.ok) throw new Error(checked.error[0]?.message);
    const model = evaluateProgram(checked.value, AMPLE);
    if (!model.ok) throw new Error(model.error.message);
    const { tuples } = model.value;
    const all = ["pred_pass", "pred_fail", "pred_skip"].flatMap((name) => tuples(name).map(([index]) => Number(index)));
    expect(all.sort((a, b) => a - b)).toEqual(answers.map(({ index }) => index));
  });

  test("a selected null gives no fact; one within a list or map is a node of type null", () => {
    const { program } = verified(
      one("x[*]", "{claim: c, rule: exists, source: memory}"),
      "facts: {x: [null, [null], {k: null}]}\n",
    );
    expect(factsNamed(program, "selected")).toEqual([[0, 0, 0], [0, 1, 2]]);
    expect(factsNamed(program, "node")).toEqual([[0, "list"], [1, "null"], [2, "map"], [3, "null"]]);
    expect(factsNamed(program, "element")).toEqual([[0, 0, 1]]);
    expect(factsNamed(program, "member")).toEqual([[2, "k", 3]]);
  });

  test("scalars keep their type, and numbers have one spelling", () => {
    const { program } = verified(
      one("x[*]", "{claim: c, rule: exists, source: memory}"),
      'facts: {x: [1, 1.0, "1", true, "true", -0.0, 1e-7]}\n',
    );
    expect(factsNamed(program, "scalar")).toEqual([
      [0, "number", "1"],
      [1, "number", "1"],
      [2, "string", "1"],
      [3, "bool", "true"],
      [4, "string", "true"],
      [5, "number", "0"],
      [6, "number", "1e-7"],
    ]);
  });

  test("a value that two claims select is one node, and one that an alias repeats is two", () => {
    const rulespec = "claims: [{name: a, selector: x}, {name: b, selector: x.k}]\npredicates: []\n";
    const { program } = verified(rulespec, "facts: {x: {k: &v [1], l: *v}}\n");
    expect(factsNamed(program, "selected")).toEqual([[0, 0, 0], [1, 0, 1]]);
    expect(factsNamed(program, "node")).toEqual([[0, "map"], [1, "list"], [2, "number"], [3, "list"], [4, "number"]]);
  });

  test("operations that Datalog lacks are given as facts, for exactly the pairs that a predicate compares", () => {
    const rulespec = `claims: [{name: n, selector: "n[*]"}, {name: t, selector: "t[*]"}]
predicates:
- {claim: n, rule: greater_than, value: 1, source: memory}
- {claim: n, rule: less_than, value: 1, source: memory}
- {claim: t, rule: contains, value: b, source: memory}
- {claim: t, rule: matches, value: "^b", source: memory}
- {claim: t, rule: contains, value: 2, source: memory}
- {claim: t, rule: equals, value: ab, source: memory}
`;
    const { program } = verified(rulespec, "facts: {n: [0, 1, 2, b], t: [ab, ba, c, 2]}\n");
    // The nodes of n have the ids 0 to 3, those of t 4 to 7, and the values of the predicates start at 8.
    expect(factsNamed(program, "greater")).toEqual([[2, 8]]);
    expect(factsNamed(program, "less")).toEqual([[0, 9]]);
    expect(factsNamed(program, "has_substring")).toEqual([[4, 10], [5, 10]]);
    expect(factsNamed(program, "has_match")).toEqual([[5, 11]]);
    expect(program).toContain("// Computed, since Datalog has no such operations");
  });

  test("without facts it is a program too", () => {
    const { program, outcome } = verified(COMPLETE_RULESPEC, "facts: {unrelated: 1}\n");
    expect(factsNamed(program, "selected")).toEqual([]);
    expect(outcome).toBe("failed");
  });
});

describe("texts from outside", () => {
  const caseOf = (text: string): readonly [rulespec: string, envelope: string] => {
    const field = `k${text.replaceAll(/[.[\]]/g, "")}`;
    const rulespec = {
      claims: [{ name: text, selector: field }, { name: "whole", selector: "whole" }],
      predicates: [
        { claim: text, rule: "equals", value: text, source: "memory", notes: text },
        { claim: "whole", rule: "contains", value: { [text]: text }, source: "memory", notes: `${text}\n${text}` },
        {
          ...{ claim: text, rule: "any_of", value: [text], source: "memory" },
          when: { claim: text, rule: "contains", value: text },
        },
      ],
    };
    return [formatJson(rulespec), formatJson({ facts: { [field]: text, whole: [{ [text]: text }] } })];
  };
  const shapeOf = (program: string) =>
    statementsOf(program).map((each) => each.kind === "fact" ? each.relation : each.kind);
  const bland = shapeOf(verified(...caseOf("bland")).program);

  for (const text of HOSTILE_TEXTS) {
    test(`${JSON.stringify(text)} stays one text in names, selectors, notes, values and keys`, () => {
      const { program, answers } = verified(...caseOf(text));
      expect(answers.map(({ status }) => status)).toEqual(["pass", "pass", "pass"]);
      // Printable ASCII and line ends only. Each line is one statement, and their number does not depend on the texts.
      expect(program).toMatch(/^[\n\u0020-\u007e]*$/);
      expect(shapeOf(program)).toEqual(bland);
      const holding = statementsOf(program).filter((each) => each.kind === "fact" && each.values.includes(text));
      expect(holding.length).toBeGreaterThan(4);
    });
  }
});
