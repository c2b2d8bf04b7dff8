// The index: which conditions it can use, by which keys, and how few rules remain to evaluate.
import { describe, expect, test } from "bun:test";
import type { Context } from "../../src/core/context.ts";
import { evaluateRules } from "../../src/rule/evaluate-rules.ts";
import { prefixOfPattern } from "../../src/rule/lookup-key.ts";
import { LOOKUPS_LIMIT } from "../../src/rule/lookup-limits.ts";
import { type RuleText, setOf } from "../support/rule/texts.ts";

describe("prefixOfPattern", () => {
  const patterns: readonly (readonly [pattern: string, prefix: string, note: string])[] = [
    ["^/svc-7/[0-9]+$", "/svc-7/", "up to the first that is no literal"],
    ["^abc", "abc", "all of it"],
    ["^a\\.b\\/c$", "a.b/c", "what is escaped stands for itself"],
    ["^ab?c", "a", "the last one may be left out"],
    ["^ab*", "a", "the last one may be left out"],
    ["^ab+", "a", "the last one is certain, and left out all the same"],
    ["^a\\.{0,2}", "a", "a repeated escape"],
    ["^a{2}", "", "a repeated first one"],
    ["abc", "", "found anywhere"],
    ["^abc|d", "", "another branch"],
    ["^(a|b)", "", "a branch inside"],
    ["(?i)^abc", "", "letters of either case"],
    ["^(?i)abc", "", "letters of either case"],
    ["^abc(?i)def", "abc", "only what comes after the flag"],
    ["^\\d", "", "a class"],
    ["^\\Aabc", "", "an anchor"],
    ["^\\Qa*b\\E", "", "quoting"],
    ["^.a", "", "any character"],
    ["^ä", "", "beyond ASCII"],
    ["^", "", "nothing"],
    ["", "", "nothing"],
  ];
  test.each(patterns)("%p begins with %p: %s", (pattern, prefix) => expect(prefixOfPattern(pattern)).toBe(prefix));
});

describe("conditions that a request rules out are not evaluated", () => {
  const request: Context = {
    network: { hostname: "x", port: 1 },
    http: { path: "/x", headers: { k: "x" } },
    run: { tool: "x", args: ["x"] },
  };
  const cases: readonly (readonly [condition: string, evaluated: number, note: string])[] = [
    [`network.hostname == "a"`, 0, "a text"],
    [`network.hostname == "x"`, 1, "the request's own"],
    [`network.port == 443`, 0, "a number"],
    [`network.port in [443, 1]`, 1, "a list that has it"],
    [`network.port == 443 || run.tool == "a"`, 0, "neither of two"],
    [`network.port == 443 || run.tool != "x"`, 1, "one that is no key"],
    [`http.path.matches("x") && network.port == 443`, 1, "after what may cost more than a condition has"],
    [`network.port == 443 && http.path.matches("x")`, 0, "before it"],
    [`"a" in run.args`, 0, "an element"],
    [`run.args.exists(e, e == "a")`, 0, "an element, asked for otherwise"],
    [`http.path.startsWith("/a")`, 0, "a beginning"],
    [`http.path.endsWith("a")`, 0, "an end"],
    [`http.path.matches("^/a")`, 0, "the beginning of a pattern"],
    [`"k" in http.headers && http.headers["k"] == "a"`, 0, "another value of a key"],
    [`"n" in http.headers && http.headers["n"] == "a"`, 0, "a key that is missing and asked for"],
    [`http.headers["n"] == "a"`, 1, "a key that is missing: the condition fails"],
    [`dns.query == "a"`, 0, "an absent namespace"],
    [`dns.query == "a" && http.headers["n"] == "a"`, 1, "an absent namespace, beside what may fail"],
    [`run.context["k"] == "a"`, 1, "what hooks can change"],
    [`!(network.port == 443)`, 1, "a negation"],
    ["run.parsed", 1, "a boolean that is so"],
    ["!run.parsed", 0, "a boolean that is not"],
  ];
  for (const [condition, evaluated, note] of cases) {
    test(`${note}: ${condition}`, () => {
      expect(
        evaluateRules(setOf([condition, "allow"]), { ...request, run: { ...request.run, parsed: true } }).evaluated,
      )
        .toBe(evaluated);
    });
  }

  const emptyLists: readonly (readonly [condition: string, note: string])[] = [
    [`run.tool in [] && metadata.k == "a"`, "before what fails"],
    [`(run.tool in [] || http.path == "a") && metadata.k == "a"`, "beside a key that is not the request's"],
    [`(false || run.tool in []) && 1 / 0 == 1`, "beside what is false"],
  ];
  test.each(emptyLists)("a list without elements and an absent namespace, %s: the block stands, %s", (condition) => {
    const set = setOf([condition, "block"], ["true", "allow"]);
    const { decision } = evaluateRules(set, { metadata: {}, http: { path: "/x" } });
    expect([decision.decision, decision.matched_rule]).toEqual(["block", "r0"]);
  });

  test("the index uses a limited number of map keys and text lengths", () => {
    const count = LOOKUPS_LIMIT + 1;
    const names = Array.from({ length: count }, (_, at) => `"k${at}" in metadata && metadata["k${at}"] == "v"`);
    const starts = Array.from({ length: count }, (_, at) => `http.path.startsWith("${"a".repeat(at + 1)}")`);
    for (const rules of [names, starts]) {
      const set = setOf(...rules.map((condition): RuleText => [condition, "allow"]));
      expect(set.index?.size.always).toBe(1);
      expect(evaluateRules(set, { metadata: {}, http: { path: "b" } }).evaluated).toBe(1);
    }
  });
});
