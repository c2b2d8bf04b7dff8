// The index compared with a scan when step limits decide: if the scan exceeds a limit and blocks, the index must block
// too.
import { describe, expect, test } from "bun:test";
import { CONDITION_STEPS, EVALUATION_STEPS } from "../../src/cel/limits.ts";
import type { Context } from "../../src/core/context.ts";
import { evaluateRules, evaluateWithHooks, type Evaluation } from "../../src/rule/evaluate-rules.ts";
import { withoutIndex } from "../../src/rule/rule-set.ts";
import { by, hooks, type RuleText, setOf, warned } from "../support/rule/texts.ts";

/** Above the limit of a condition with 400 arguments, because it compares each with each. */
const EXPENSIVE = `run.args.all(a, run.args.all(b, a != "" || b != ""))`;
const MANY: Context = { run: { args: Array(400).fill("a") }, network: { port: 443 } };
const NONE_OF_60 = Array.from({ length: 60 }, (_, at) => `!("${at}" in run.args)`).join(" && ");
const OVER = `condition cannot be evaluated: over ${CONDITION_STEPS} steps`;
const SPENT = "evaluation is over its step limit, so the request is blocked";

function outcome(evaluation: Evaluation): object {
  return { by: by(evaluation), warned: warned(evaluation) };
}

/** The common result of the index and the scan. */
function decide(rules: readonly RuleText[], context: Context): object {
  const set = setOf(...rules);
  const looked = outcome(evaluateRules(set, context));
  expect(looked).toEqual(outcome(evaluateRules(withoutIndex(set), context)));
  return looked;
}

/** A block rule that exceeds its limit, before an allow rule for everything. */
function blockOf(condition: string, context: Context): object {
  return decide([[condition, "block"], ["true", "allow"]], context);
}

describe("A7: a block that exceeds its limit before an operand makes it false blocks", () => {
  const cases: readonly (readonly [note: string, condition: string, context: Context])[] = [
    [
      "has() behind what is expensive",
      `metadata.env == "prod" && ${EXPENSIVE} && has(metadata.env)`,
      { ...MANY, metadata: {} },
    ],
    [
      "in behind what is expensive",
      `metadata["env"] == "prod" && ${EXPENSIVE} && "env" in metadata`,
      { ...MANY, metadata: {} },
    ],
    [
      "a key behind what is expensive",
      `${EXPENSIVE} && network.hostname == "a"`,
      { ...MANY, network: { hostname: "b" } },
    ],
    [
      "has() behind what is expensive in a branch of ||",
      `(metadata.env == "prod" && ${EXPENSIVE} && has(metadata.env)) || network.port == 1`,
      { ...MANY, metadata: {} },
    ],
    [
      "has() behind branches that are expensive",
      `((metadata.env == "prod" && ${EXPENSIVE}) || (network.port == 1 && ${EXPENSIVE})) && has(metadata.env)`,
      { ...MANY, metadata: {} },
    ],
    [
      "has() behind a conditional that is expensive",
      `metadata.env == "prod" && (network.port == 1 ? true : ${EXPENSIVE}) && has(metadata.env)`,
      { ...MANY, metadata: {} },
    ],
    [
      "has() behind an expensive conditional in a branch",
      `(metadata.env == "prod" && (${EXPENSIVE} ? true : true)) && (network.port == 443 && has(metadata.env))`,
      { ...MANY, metadata: {} },
    ],
    [
      "a long element among long arguments",
      `"${"x".repeat(60_000)}a" in run.args`,
      { run: { args: Array(200).fill(`${"x".repeat(60_000)}b`) } },
    ],
    [
      "a long element, asked for otherwise",
      `run.args.exists(x, x == "${"x".repeat(60_000)}a")`,
      { run: { args: Array(200).fill(`${"x".repeat(60_000)}b`) } },
    ],
    [
      "elements that are cheap one by one",
      `${NONE_OF_60} && network.port == 1`,
      { run: { args: Array(2_000).fill("a") }, network: { port: 443 } },
    ],
    [
      "elements that are cheap one by one, before has()",
      `metadata.env == "prod" && ${NONE_OF_60} && has(metadata.env)`,
      { run: { args: Array(2_000).fill("a") }, metadata: {} },
    ],
    [
      "an expensive part beside an absent namespace",
      `dns.query == "a" && ${EXPENSIVE}`,
      MANY,
    ],
    [
      "elements that are cheap one by one, beside an absent namespace",
      `dns.query == "a" && ${NONE_OF_60}`,
      { run: { args: Array(2_000).fill("a") } },
    ],
    [
      "a list longer than the index looks at",
      `"a" in run.args`,
      { run: { args: Array(CONDITION_STEPS).fill("b") } },
    ],
    [
      "a pattern on a long text before a key",
      `!http.path.matches("^/a[a-z]{0,400}q") && network.port == 1`,
      { http: { path: "/b".repeat(8_000) }, network: { port: 443 } },
    ],
    [
      "an expensive part behind a missing key whose has() is in the other branch",
      `(has(metadata.env) && metadata.env == "a") || (metadata.env == "b" && ${EXPENSIVE})`,
      { ...MANY, metadata: {} },
    ],
  ];
  test.each(cases)("A7: %s", (_note, condition, context) => {
    expect(blockOf(condition, context)).toEqual({ by: "block by r0", warned: [`a.yaml r0: ${OVER}`] });
  });

  test("A7: a missing key that only one branch of || asks for fails", () => {
    const condition = `(has(metadata.k) && metadata.k == "a") || metadata.k == "b"`;
    expect(blockOf(condition, { metadata: {} })).toEqual({
      by: "block by r0",
      warned: [`a.yaml r0: condition cannot be evaluated: no such key: "k"`],
    });
  });

  test("A7: a pattern on a text over 16 KiB cannot be tried, wherever the text differs", () => {
    const context = { http: { path: "/b".repeat(9_000) }, metadata: { k: "b".repeat(20_000) } };
    for (const condition of [`http.path.matches("^/a")`, `http.path.matches("^/a") || network.port == 1`]) {
      expect(blockOf(condition, context)).toEqual({
        by: "block by r0",
        warned: ["a.yaml r0: condition cannot be evaluated: text is too long for a pattern"],
      });
    }
  });

  test("A7: a comparison with a text over 16 KiB is false, with the index as in a scan", () => {
    const long = "b".repeat(20_000);
    const context = { http: { path: long, headers: { k: long } }, run: { args: [long] }, metadata: { k: long } };
    for (
      const condition of [
        `http.path == "a"`,
        `http.path.startsWith("a")`,
        `http.path.endsWith("a")`,
        `"a" in run.args`,
        `"k" in metadata && metadata.k == "a"`,
        `http.headers["k"] == "${"b".repeat(19_999)}a"`,
      ]
    ) expect(blockOf(condition, context)).toEqual({ by: "allow by r1", warned: [] });
  });
});

describe("A7: an evaluation over its steps is a block, whether or not the index left the rules out", () => {
  const four = `"a" in run.args || "b" in run.args || "c" in run.args || "d" in run.args`;
  const args = Array<string>(2_000).fill("x");
  /** Close to the steps of one rule: each argument costs a step in each of the four. */
  const each = 4 * args.length;
  const enough = Math.floor(EVALUATION_STEPS / each) - 1;
  const rules = (count: number): readonly RuleText[] => Array.from({ length: count }, (): RuleText => [four, "block"]);

  test("A7: the sum of the rules that are left out", () => {
    const found = decide([...rules(enough + 2), ["true", "allow"]], { run: { args } });
    expect(found).toEqual({ by: "block by null", warned: [expect.stringContaining(SPENT)] });
  });

  test("A7: a sum below the limit", () => {
    expect(decide([...rules(enough), ["true", "allow"]], { run: { args } })).toMatchObject({
      by: `allow by r${enough}`,
    });
  });

  test("A7: skipped and evaluated rules together", () => {
    // The index skips half of the steps, most of them before it knows that the limit is close.
    const evaluated: RuleText = [`run.args.exists(x, x != "x")`, "block"];
    const mixed = Array.from({ length: enough / 2 + 5 }, (): readonly RuleText[] => [[four, "block"], evaluated]);
    expect(decide([...mixed.flat(), ["true", "allow"]], { run: { args } })).toEqual({
      by: "block by null",
      warned: [expect.stringContaining(SPENT)],
    });
  });

  test("A7: rules that are skipped because of a missing key that they test last", () => {
    const asking = rules(enough + 2).map(([text, action]): RuleText => [
      `metadata.k == "a" && !(${text}) && has(metadata.k) && int(run.tool) == 1`,
      action,
    ]);
    expect(decide([...asking, ["true", "allow"]], { run: { args }, metadata: {} })).toEqual({
      by: "block by null",
      warned: [expect.stringContaining(SPENT)],
    });
  });

  test("A7: if no rule decides, the steps of skipped rules count at the end", () => {
    expect(decide(rules(enough + 2), { run: { args } })).toEqual({
      by: "block by null",
      warned: [expect.stringContaining(SPENT)],
    });
  });

  test("A7: a hook runs once, and the steps of skipped rules before it count", async () => {
    const set = setOf(["true", "enrich"], ...rules(enough + 2), ["true", "allow"]);
    const seen: unknown[] = [];
    const found = await evaluateWithHooks(set, { run: { args } }, hooks({ "h0.sh": { k: 1 } }, seen));
    expect(outcome(found)).toEqual({ by: "block by null", warned: [expect.stringContaining(SPENT)] });
    expect(seen.length).toBe(1);
  });

  test("A7: hooks in between run once each", async () => {
    const some = rules(Math.floor(enough / 3));
    const set = setOf(...some, ["true", "enrich"], ...some, ["true", "enrich"], ...some, ...rules(6), [
      "true",
      "allow",
    ]);
    const results: object[] = [];
    for (const one of [set, withoutIndex(set)]) {
      const seen: unknown[] = [];
      const outputs = Object.fromEntries(set.rules.map((rule) => [rule.enrich?.script ?? "", { k: 1 }]));
      results.push({
        ...outcome(await evaluateWithHooks(one, { run: { args } }, hooks(outputs, seen))),
        seen: seen.length,
      });
    }
    expect(results[0]).toEqual(results[1] ?? {});
    expect(results[0]).toMatchObject({ by: "block by null", seen: 2 });
  });
});
