// Rules with an end: when they are in force, their effect on other rules, and the findings about them.
import { describe, expect, test } from "bun:test";
import { evaluateRules, evaluateWithHooks } from "../../src/rule/evaluate-rules.ts";
import { expiryOf, isInForce } from "../../src/rule/expires.ts";
import { loadRuleFiles } from "../../src/rule/load-rules.ts";
import { type RuleSet, withoutIndex } from "../../src/rule/rule-set.ts";
import { hooks } from "../support/rule/texts.ts";

const END = "2026-12-31T18:00:00Z";
const END_MS = Date.UTC(2026, 11, 31, 18);

type Written = readonly [condition: string, action: "allow" | "block" | "enrich", more?: string];

function load(rules: readonly Written[], nowMs = 0) {
  const lines = rules.map(([condition, action, more = ""], index) => {
    const hook = action === "enrich" ? ", enrich: {script: h.sh}" : "";
    return `  - {id: r${index}, condition: '${condition}', action: ${action}${hook}${more}}`;
  });
  const text = ['version: "1"', "rules:", ...lines, ""].join("\n");
  return loadRuleFiles([{ name: "a.yaml", text }], { nowMs });
}

function setOf(...rules: readonly Written[]): RuleSet {
  const { set, findings } = load(rules);
  if (set === null) throw new Error(JSON.stringify(findings));
  return set;
}

const EXPIRES = `, expires: ${END}`;
const CONTEXT = { run: { tool: "git" } };

describe("isInForce", () => {
  test("before its end, not at it", () => {
    const end = expiryOf(END);
    expect(end).toBe(END_MS);
    expect([END_MS - 1, END_MS, END_MS + 1].map((nowMs) => isInForce(end, nowMs))).toEqual([true, false, false]);
    expect([-Infinity, 0, Infinity].map((nowMs) => isInForce(null, nowMs))).toEqual([true, true, true]);
  });

  const times: readonly (readonly [text: string, ms: number | null])[] = [
    ["2026-12-31T19:00:00+01:00", END_MS],
    ["2026-12-31t12:00:00.5-06:00", END_MS + 500],
    ["2026-12-31T18:00:00.0019Z", END_MS + 1],
    ["1969-12-31T23:59:59.9999Z", -1],
    ["2024-02-29T00:00:00Z", Date.UTC(2024, 1, 29)],
    ["2026-02-29T00:00:00Z", null],
    ["2026-12-31T18:00:00", null],
  ];
  for (const [text, ms] of times) test(`expiryOf ${text}`, () => expect(expiryOf(text)).toBe(ms));
});

describe("evaluation", () => {
  const set = setOf(['run.tool == "git"', "allow", EXPIRES], ['run.tool == "git"', "block"]);

  for (const [how, of] of [["with the index", set], ["without the index", withoutIndex(set)]] as const) {
    test(`${how}: an allow counts until its end, then the next rule decides`, async () => {
      const by = (nowMs?: number) => evaluateRules(of, CONTEXT, nowMs).decision.matched_rule;
      expect([END_MS - 1, END_MS].map(by)).toEqual(["r0", "r1"]);
      const options = { ...hooks({}), nowMs: END_MS - 1 };
      expect((await evaluateWithHooks(of, CONTEXT, options)).decision.matched_rule).toBe("r0");
      expect((await evaluateWithHooks(of, CONTEXT, { ...options, nowMs: END_MS })).decision.matched_rule).toBe("r1");
    });

    test(`${how}: without a time no rule that ends is in force`, async () => {
      expect(evaluateRules(of, CONTEXT).decision.matched_rule).toBe("r1");
      expect((await evaluateWithHooks(of, CONTEXT, hooks({}))).decision.matched_rule).toBe("r1");
    });
  }

  test("the time is read once: a rule that ends while a hook runs is in force", async () => {
    const hooked = setOf(["true", "enrich"], ['run.tool == "git"', "allow", EXPIRES]);
    const { runHook, turn } = hooks({ "h.sh": { slept: true } });
    const evaluation = await evaluateWithHooks(hooked, CONTEXT, { runHook, turn, nowMs: END_MS - 1 });
    expect(evaluation).toMatchObject({ decision: { decision: "allow" }, enriched: { slept: true } });
  });

  test("a rule that is over is not evaluated, so it cannot fail", () => {
    const failing = setOf(["metadata.no == 1", "allow", EXPIRES]);
    expect(evaluateRules(failing, { metadata: {} }, END_MS).warnings).toEqual([]);
    expect(evaluateRules(failing, { metadata: {} }, END_MS - 1).warnings).toHaveLength(1);
  });
});

describe("findings", () => {
  const codes = (rules: readonly Written[], nowMs?: number) => load(rules, nowMs).findings.map(({ code }) => code);

  test("rule.expired once the end is reached", () => {
    const rules: readonly Written[] = [['run.path == "/usr/bin/git"', "allow", EXPIRES]];
    expect(codes(rules, END_MS - 1)).toEqual([]);
    expect(load(rules, END_MS).findings).toMatchObject([
      {
        code: "rule.expired",
        severity: "warning",
        rule: "r0",
        message: `rule "r0": expired at ${END} and is not in force`,
      },
    ]);
  });

  test("a rule that ends hides no other, and can be hidden", () => {
    const ending: Written = ['run.path == "/usr/bin/git"', "allow", EXPIRES];
    const lasting: Written = ['run.path == "/usr/bin/git"', "allow"];
    expect(codes([ending, lasting])).toEqual([]);
    expect(codes([["true", "allow", EXPIRES], lasting])).not.toContain("rule.unreachable");
    expect(codes([lasting, ending])).toEqual(["rule.unreachable"]);
  });
});
