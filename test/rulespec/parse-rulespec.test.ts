import { describe, expect, test } from "bun:test";
import { FINDINGS_LIMIT } from "../../src/yaml/compose.ts";
import { parseRulespec } from "../../src/rulespec/parse-rulespec.ts";
import { CLAIMS, predicate } from "../support/rulespec/refused.ts";
import { rulespecOf } from "../support/rulespec/rulespec.ts";

describe("parseRulespec", () => {
  test("reports all that is wrong at once, by place", () => {
    const text = `claims:
- {name: c, selector: a..b, extra: 1}
- {name: c, selector: x}
- {selector: y}
predicates:
- {claim: c, rule: equals}
- {claim: d, rule: like, value: 1, source: hearsay}
- {claim: c, rule: exists, source: memory, when: {claim: e, rule: any_of, value: 1}}
`;
    const { rulespec, findings } = parseRulespec("r.yaml", text);
    expect(rulespec).toBeNull();
    expect(findings.map(({ code, place }) => `${place.line} ${code}`)).toEqual([
      "2 rulespec.selector",
      "2 rulespec.schema",
      "3 rulespec.duplicate-claim",
      "4 rulespec.schema",
      "6 rulespec.schema",
      "6 rulespec.value",
      "7 rulespec.undefined-claim",
      "7 rulespec.unknown-rule",
      "7 rulespec.schema",
      "8 rulespec.undefined-claim",
      "8 rulespec.value",
    ]);
  });

  test("a claim that cannot be used is not reported as undefined too", () => {
    const text = CLAIMS.replace("selector: x", 'selector: "x]"') + "- {claim: c, rule: exists, source: memory}\n";
    expect(parseRulespec("r.yaml", text).findings.map(({ code }) => code)).toEqual(["rulespec.selector"]);
  });

  const accepted = [
    { note: "nothing but a map", text: "{}\n", claims: 0, predicates: 0 },
    { note: "empty lists", text: "claims: []\npredicates: []\n", claims: 0, predicates: 0 },
    { note: "lists of which nothing is written", text: "claims:\npredicates:\n", claims: 0, predicates: 0 },
    { note: "claims alone", text: "claims: [{name: c, selector: x}]\n", claims: 1, predicates: 0 },
    {
      note: "null for what may be absent",
      text: predicate("rule: exists, value: null, notes: null, when: null"),
      claims: 2,
      predicates: 1,
    },
    { note: "a length written as a float", text: predicate("rule: min_length, value: 2.0"), claims: 2, predicates: 1 },
    {
      note: "the greatest exact number",
      text: predicate("rule: equals, value: 9007199254740991"),
      claims: 2,
      predicates: 1,
    },
    { note: "a list that holds null", text: predicate("rule: any_of, value: [null]"), claims: 2, predicates: 1 },
    { note: "an empty list", text: predicate("rule: any_of, value: []"), claims: 2, predicates: 1 },
    { note: "an empty text to look for", text: predicate('rule: contains, value: ""'), claims: 2, predicates: 1 },
    { note: "aliases", text: predicate("rule: any_of, value: [&a x, *a]"), claims: 2, predicates: 1 },
  ];
  for (const { note, text, claims, predicates } of accepted) {
    test(`takes ${note}`, () => {
      const rulespec = rulespecOf(text);
      expect([rulespec.claims.length, rulespec.predicates.length]).toEqual([claims, predicates]);
    });
  }

  const warned = [
    {
      note: "a selector that begins with facts.",
      text: "claims: [{name: c, selector: facts.a.b}]\n",
      code: "rulespec.facts-prefix",
      at: [1, 30],
      hint: "selectors begin below facts: a.b",
    },
    {
      note: "a value that is never looked at",
      text: predicate("rule: exists, value: x"),
      code: "rulespec.unused-value",
      at: [5, 51],
      hint: undefined,
    },
  ];
  for (const { note, text, code, at: [line, column], hint } of warned) {
    test(`warns of ${note}`, () => {
      const { rulespec, findings } = parseRulespec("r.yaml", text);
      expect(rulespec).not.toBeNull();
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ code, severity: "warning", place: { line, column } });
      expect(findings[0]?.hint).toBe(hint);
    });
  }

  test(`at most ${FINDINGS_LIMIT} findings, and one that says so`, () => {
    const of = (count: number) => parseRulespec("r.yaml", `claims: [${"x, ".repeat(count)}]\n`).findings;
    expect(of(FINDINGS_LIMIT)).toHaveLength(FINDINGS_LIMIT);
    const over = of(FINDINGS_LIMIT + 5);
    expect(over).toHaveLength(FINDINGS_LIMIT + 1);
    expect(over.at(-1)).toMatchObject({ code: "rulespec.limit" });
  });
});
