// Rule sets on requests: what decides, what only warns, and the limits of one evaluation. The first table shows that a
// failure never becomes an allow (P1).
import { describe, expect, test } from "bun:test";
import type { Context } from "../../src/core/context.ts";
import { evaluateRules, evaluateWithHooks } from "../../src/rule/evaluate-rules.ts";
import { withoutIndex } from "../../src/rule/rule-set.ts";
import { by, hooks, type RuleText, setOf, warned } from "../support/rule/texts.ts";

const BIG = Array.from({ length: 30_000 }, () => "a");
const CONTEXT: Context = {
  run: { tool: "x", args: BIG, context: { text: "yes", n: 3, list: [1], map: {} } },
  http: { method: "GET", headers: {}, body_size: 0 },
  metadata: { path: "/x".repeat(10_000) },
};

const FAILURES: readonly (readonly [note: string, condition: string, reason: string])[] = [
  ["a key that is missing", 'http.headers["nope"] == "x"', 'condition cannot be evaluated: no such key: "nope"'],
  ["a selection that is missing", "run.context.nope", 'condition cannot be evaluated: no such key: "nope"'],
  ["a type error", "run.context.text + 1 == 2", "condition cannot be evaluated: no operator string + int"],
  [
    "an order of types that have none",
    "run.context.text < 1",
    "condition cannot be evaluated: string and int have no order",
  ],
  [
    "a method of another type",
    'run.context.n.startsWith("a")',
    "condition cannot be evaluated: function does not take int",
  ],
  ["division by zero", "1 / http.body_size == 1", "condition cannot be evaluated: division by zero"],
  ["overflow", "9223372036854775807 + run.context.n > 0", "condition cannot be evaluated: integer overflow"],
  ["an index out of range", "run.context.list[1] == 1", "condition cannot be evaluated: index out of range: 1"],
  ["a string that is no number", "int(run.tool) == 1", "condition cannot be evaluated: string is not an integer"],
  [
    "an operand that is no boolean",
    "run.context.text && true",
    "condition cannot be evaluated: string where a bool is needed",
  ],
  ["too many steps", 'run.args.exists(a, a + "b" == "b")', "condition cannot be evaluated: over 100000 steps"],
  [
    "a text too long for a pattern",
    'string(metadata.path).matches("z")',
    "condition cannot be evaluated: text is too long for a pattern",
  ],
  ["a result that is a string", "run.context.text", "condition returned a value of type string, not a boolean"],
  ["a result that is an int", "run.context.n", "condition returned a value of type int, not a boolean"],
  ["a result that is a list", "run.context.list", "condition returned a value of type list, not a boolean"],
  ["a result that is a map", "run.context.map", "condition returned a value of type map, not a boolean"],
];

describe("a condition that cannot be evaluated", () => {
  for (const [note, condition, reason] of FAILURES) {
    test(`${note}: an allow does not match, a block blocks, nothing is enriched; each is a warning`, async () => {
      const rest: RuleText = ['run.tool == "x"', "allow"];
      for (
        const [action, outcome] of [["allow", "allow by r1"], ["block", "block by r0"], [
          "enrich",
          "allow by r1",
        ]] as const
      ) {
        const set = setOf([condition, action], rest);
        const seen: unknown[] = [];
        for (
          const evaluation of [evaluateRules(set, CONTEXT), await evaluateWithHooks(set, CONTEXT, hooks({}, seen))]
        ) {
          expect(by(evaluation)).toBe(outcome);
          expect(warned(evaluation)).toEqual([`a.yaml r0: ${reason}`]);
        }
        expect(seen).toEqual([]);
      }
      expect(by(evaluateRules(setOf([condition, "allow"]), CONTEXT))).toBe("block by null");
    });

    test(`${note}: absorbed by what decides, under negation still a failure`, () => {
      const guarded = (text: string): string =>
        by(evaluateRules(setOf([text, "block"], ['run.tool == "x"', "allow"]), CONTEXT));
      expect(guarded(`false && (${condition})`)).toBe("allow by r1");
      expect(guarded(`(${condition}) && false`)).toBe(note === "too many steps" ? "block by r0" : "allow by r1");
      expect(guarded(`true || (${condition})`)).toBe("block by r0");
      expect(guarded(`!(true && (${condition}))`)).toBe("block by r0");
      expect(guarded(`(${condition}) ? false : false`)).toBe("block by r0");
    });
  }
});

describe("an absent namespace", () => {
  const conditions = [
    'dns.query == "x"',
    'dns.query != "x"',
    '!(dns.query == "x")',
    "size(docker.command) == 0",
    "has(agent.labels.x)",
    'target == "x"',
    '"x" in docker.command',
    'docker.command.all(c, c == "x")',
    'dns.query == "x" ? true : true',
  ];
  for (const condition of conditions) {
    test(`${condition}: no match for any action, and no warning`, () => {
      for (const action of ["allow", "block", "enrich"] as const) {
        const evaluation = evaluateRules(setOf([condition, action]), { http: {} });
        expect([by(evaluation), warned(evaluation)]).toEqual(["block by null", []]);
      }
    });
  }
});

describe("what decides", () => {
  test("the first allow or block that matches, and nothing after it is asked", () => {
    const set = setOf(["false", "block"], ["true", "allow", ", log: true"], ["metadata.nope == 1", "block"]);
    const evaluation = evaluateRules(set, CONTEXT);
    expect(evaluation.decision).toEqual({ decision: "allow", matched_rule: "r1", file: "a.yaml", logged: true });
    expect([evaluation.rule?.id, evaluation.evaluated, evaluation.warnings]).toEqual(["r1", 2, []]);
  });

  test("without a match, the default block, which is no rule's and is not logged", () => {
    for (
      const set of [setOf(), setOf(["false", "allow", ", log: true"], ["dns.query == 'x'", "block", ", log: true"])]
    ) {
      const evaluation = evaluateRules(set, CONTEXT);
      expect(evaluation.decision).toEqual({ decision: "block", matched_rule: null, file: null, logged: false });
      expect([evaluation.rule, evaluation.evaluated]).toEqual([null, set.rules.length]);
    }
  });

  test("a set can be asked again and again, and says the same", () => {
    const set = setOf(['run.context.text == "yes"', "enrich"], ['"x" in enriched', "allow"], [
      'http.method == "GET"',
      "allow",
    ]);
    const first = evaluateRules(set, CONTEXT);
    for (let count = 0; count < 3; count++) {
      evaluateRules(set, {});
      expect(evaluateRules(set, CONTEXT)).toEqual(first);
    }
  });
});

describe("limits", () => {
  // Each element costs one step, plus three for the nodes of the body.
  const heavy = 'run.args.exists(a, a == "b")';
  const withArgs = (length: number): Context => ({ run: { args: BIG.slice(0, length), tool: "x" } });

  test("a condition may take 100,000 steps", () => {
    const set = setOf([heavy, "block"], ['run.tool == "x"', "allow"]);
    expect(by(evaluateRules(set, withArgs(24_999)))).toBe("allow by r1");
    const over = evaluateRules(set, withArgs(25_001));
    expect([by(over), warned(over)]).toEqual(["block by r0", [
      "a.yaml r0: condition cannot be evaluated: over 100000 steps",
    ]]);
  });

  test("an evaluation may take 1,000,000; beyond, a block by no rule", () => {
    const rules = (count: number): readonly RuleText[] => Array.from({ length: count }, () => [heavy, "allow"]);
    const last: RuleText = ['run.tool == "x"', "allow"];
    expect(by(evaluateRules(setOf(...rules(10), last), withArgs(24_990)))).toBe("allow by r10");
    const over = evaluateRules(setOf(...rules(11), last), withArgs(24_990));
    expect(over.decision).toEqual({ decision: "block", matched_rule: null, file: null, logged: false });
    expect(warned(over)).toEqual(["a.yaml r10: evaluation is over its step limit, so the request is blocked"]);
  });

  test("a condition that exceeds its own limit costs no more than that limit", () => {
    const rules: readonly RuleText[] = Array.from({ length: 9 }, () => [heavy, "allow"]);
    const evaluation = evaluateRules(setOf(...rules, ['run.tool == "x"', "allow"]), withArgs(30_000));
    expect([by(evaluation), evaluation.warnings.length]).toEqual(["allow by r9", 9]);
  });

  test("the costliest rule is known", () => {
    const set = setOf(['run.tool == "y"', "allow"], [heavy, "allow"], ['run.tool == "x"', "allow"]);
    expect(evaluateRules(withoutIndex(set), withArgs(100)).costliest?.id).toBe("r1");
  });
});
