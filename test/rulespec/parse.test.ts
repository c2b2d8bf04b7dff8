import { describe, expect, test } from "bun:test";
import { FINDINGS_LIMIT } from "../../src/yaml/compose.ts";
import { parseRulespec } from "../../src/rulespec/parse.ts";
import { rulespecOf } from "../support/rulespec.ts";

type Case = {
  readonly note: string;
  readonly text: string;
  readonly code: string;
  readonly at: readonly [line: number, column: number];
  readonly says: string;
  readonly hint?: string;
};

const CLAIMS = "claims:\n- {name: c, selector: x}\n- {name: when, selector: y.z}\npredicates:\n";
const predicate = (members: string): string => `${CLAIMS}- {claim: c, source: memory, ${members}}\n`;

const CASES: readonly Case[] = [
  {
    note: "a document that is no map",
    text: "- a\n",
    code: "rulespec.schema",
    at: [1, 1],
    says: "a rulespec must be a map, found a list",
  },
  {
    note: "an empty document",
    text: "",
    code: "rulespec.schema",
    at: [1, 1],
    says: "a rulespec must be a map, found nothing",
  },
  {
    note: "an unknown member at the top",
    text: "claim: []\n",
    code: "rulespec.schema",
    at: [1, 1],
    says: 'unknown member "claim" of a rulespec',
    hint: 'did you mean "claims"?',
  },
  {
    note: "claims that are no list",
    text: "claims: {c: x}\n",
    code: "rulespec.schema",
    at: [1, 9],
    says: "claims must be a list, found a map",
  },
  {
    note: "a claim that is no map",
    text: "claims: [c]\n",
    code: "rulespec.schema",
    at: [1, 10],
    says: 'a claim must be a map, found the string "c"',
  },
  {
    note: "an unknown member of a claim",
    text: "claims: [{name: c, selektor: x, selector: x}]\n",
    code: "rulespec.schema",
    at: [1, 20],
    says: 'unknown member "selektor" of a claim',
    hint: 'did you mean "selector"?',
  },
  {
    note: "a claim without a name",
    text: "claims: [{selector: x}]\n",
    code: "rulespec.schema",
    at: [1, 10],
    says: 'missing member "name" of a claim',
  },
  {
    note: "a claim without a selector",
    text: "claims: [{name: c}]\n",
    code: "rulespec.schema",
    at: [1, 10],
    says: 'missing member "selector" of a claim',
  },
  {
    note: "an empty claim name",
    text: 'claims: [{name: "", selector: x}]\n',
    code: "rulespec.schema",
    at: [1, 17],
    says: "name of a claim is empty",
  },
  {
    note: "a claim name that is a number",
    text: "claims: [{name: 7, selector: x}]\n",
    code: "rulespec.schema",
    at: [1, 17],
    says: "name of a claim must be a string, found the number 7",
    hint: 'quote it: "7"',
  },
  {
    note: "a duplicate claim name",
    text: "claims:\n- {name: c, selector: x}\n- {name: c, selector: y}\n",
    code: "rulespec.duplicate-claim",
    at: [3, 10],
    says: 'claim "c" is defined twice',
  },
  {
    note: "an empty selector",
    text: 'claims: [{name: c, selector: ""}]\n',
    code: "rulespec.selector",
    at: [1, 30],
    says: "the selector is empty",
  },
  {
    note: "a malformed selector, at the character",
    text: 'claims:\n- name: c\n  selector: "a.b..c"\n',
    code: "rulespec.selector",
    at: [3, 18],
    says: 'empty segment in selector "a.b..c"',
  },
  {
    note: "a predicate that is no map",
    text: `${CLAIMS}- exists\n`,
    code: "rulespec.schema",
    at: [5, 3],
    says: 'a predicate must be a map, found the string "exists"',
  },
  {
    note: "an unknown member of a predicate",
    text: predicate("rule: exists, note: x"),
    code: "rulespec.schema",
    at: [5, 44],
    says: 'unknown member "note" of a predicate',
    hint: 'did you mean "notes"?',
  },
  {
    note: "a predicate without a claim",
    text: `${CLAIMS}- {rule: exists, source: memory}\n`,
    code: "rulespec.schema",
    at: [5, 3],
    says: 'missing member "claim" of a predicate',
  },
  {
    note: "a predicate on a claim that is not defined",
    text: `${CLAIMS}- {claim: whn, rule: exists, source: memory}\n`,
    code: "rulespec.undefined-claim",
    at: [5, 11],
    says: 'claim "whn" is not defined',
    hint: 'did you mean "when"?',
  },
  {
    note: "a predicate without a rule",
    text: predicate("value: 1"),
    code: "rulespec.schema",
    at: [5, 3],
    says: 'missing member "rule" of a predicate',
  },
  {
    note: "an unknown rule",
    text: predicate("rule: equal, value: 1"),
    code: "rulespec.unknown-rule",
    at: [5, 36],
    says: 'unknown rule "equal"',
    hint: 'did you mean "equals"?',
  },
  {
    note: "a predicate without a source",
    text: `${CLAIMS}- {claim: c, rule: exists}\n`,
    code: "rulespec.schema",
    at: [5, 3],
    says: 'missing member "source" of a predicate',
    hint: "say where it comes from: task_prompt or memory",
  },
  {
    note: "another source",
    text: `${CLAIMS}- {claim: c, rule: exists, source: memori}\n`,
    code: "rulespec.schema",
    at: [5, 36],
    says: 'source of a predicate must be task_prompt or memory, found the string "memori"',
    hint: 'did you mean "memory"?',
  },
  {
    note: "notes that are no text",
    text: predicate("rule: exists, notes: [x]"),
    code: "rulespec.schema",
    at: [5, 51],
    says: "notes of a predicate must be a string, found a list",
  },
  {
    note: "a missing value",
    text: predicate("rule: equals"),
    code: "rulespec.value",
    at: [5, 36],
    says: 'rule "equals" needs a value',
  },
  {
    note: "null for a value",
    text: predicate("rule: contains, value: null"),
    code: "rulespec.value",
    at: [5, 53],
    says: 'rule "contains" needs a value',
    hint: "null counts as no value",
  },
  {
    note: "a text for a list",
    text: predicate("rule: any_of, value: json"),
    code: "rulespec.value",
    at: [5, 51],
    says: 'rule "any_of" needs a list as its value, found the string "json"',
    hint: "write it as a list: [json]",
  },
  {
    note: "a map for a list",
    text: predicate("rule: none_of, value: {a: 1}"),
    code: "rulespec.value",
    at: [5, 52],
    says: 'rule "none_of" needs a list as its value, found a map',
  },
  {
    note: "a text for a number",
    text: predicate('rule: greater_than, value: "3"'),
    code: "rulespec.value",
    at: [5, 57],
    says: 'rule "greater_than" needs a number as its value, found the string "3"',
  },
  {
    note: "a boolean for a number",
    text: predicate("rule: less_than, value: true"),
    code: "rulespec.value",
    at: [5, 54],
    says: 'rule "less_than" needs a number as its value, found the boolean true',
  },
  {
    note: "a negative length",
    text: predicate("rule: max_length, value: -1"),
    code: "rulespec.value",
    at: [5, 55],
    says: 'rule "max_length" needs a non-negative integer as its value, found the number -1',
  },
  {
    note: "a fraction for a length",
    text: predicate("rule: min_length, value: 1.5"),
    code: "rulespec.value",
    at: [5, 55],
    says: 'rule "min_length" needs a non-negative integer as its value, found the number 1.5',
  },
  {
    note: "a number for a pattern",
    text: predicate("rule: matches, value: 1"),
    code: "rulespec.value",
    at: [5, 52],
    says: 'rule "matches" needs an RE2 pattern as its value, found the number 1',
  },
  {
    note: "a pattern that RE2 does not know",
    text: predicate("rule: matches, value: '(?=a)'"),
    code: "rulespec.regex",
    at: [5, 52],
    says: "pattern is not RE2",
  },
  {
    note: "a pattern over the limit of instructions",
    text: predicate("rule: matches, value: '(a{1000}){3}'"),
    code: "rulespec.regex",
    at: [5, 52],
    says: "pattern",
  },
  {
    note: "a number that is not finite",
    text: predicate("rule: less_than, value: .inf"),
    code: "rulespec.value",
    at: [5, 54],
    says: "a number that is not finite: .inf",
  },
  {
    note: "a whole number that is not exact",
    text: predicate("rule: equals, value: 9007199254740992"),
    code: "rulespec.value",
    at: [5, 51],
    says: "a whole number beyond 2^53-1: 9007199254740992",
  },
  {
    note: "when that is no map",
    text: predicate("rule: exists, when: c"),
    code: "rulespec.schema",
    at: [5, 50],
    says: 'when must be a map, found the string "c"',
  },
  {
    note: "when on a claim that is not defined",
    text: predicate("rule: exists, when: {claim: d, rule: exists}"),
    code: "rulespec.undefined-claim",
    at: [5, 58],
    says: 'claim "d" is not defined',
  },
  {
    note: "when with an unknown member",
    text: predicate("rule: exists, when: {claim: c, rule: exists, source: memory}"),
    code: "rulespec.schema",
    at: [5, 75],
    says: 'unknown member "source" of when',
  },
  {
    note: "when without a value",
    text: predicate("rule: exists, when: {claim: c, rule: equals}"),
    code: "rulespec.value",
    at: [5, 67],
    says: 'rule "equals" needs a value',
  },
  {
    note: "a duplicate key",
    text: "claims: []\nclaims: []\n",
    code: "rulespec.yaml",
    at: [2, 1],
    says: "duplicate key",
  },
  {
    note: "a second document",
    text: "claims: []\n---\n",
    code: "rulespec.yaml",
    at: [2, 1],
    says: "a second document",
  },
  { note: "a tag", text: "claims: !!seq []\n", code: "rulespec.yaml", at: [1, 9], says: 'tag "!!seq" is not allowed' },
  {
    note: "nesting over the limit",
    text: `claims: ${"[".repeat(40)}\n`,
    code: "rulespec.limit",
    at: [1, 40],
    says: "nested over 32 levels",
  },
];

describe("parseRulespec", () => {
  for (const { note, text, code, at: [line, column], says, hint } of CASES) {
    test(`refuses ${note}`, () => {
      const { rulespec, findings } = parseRulespec("r.yaml", text);
      expect(rulespec).toBeNull();
      expect(findings).toHaveLength(1);
      expect(findings[0]).toMatchObject({ code, severity: "error", place: { file: "r.yaml", line, column } });
      expect(findings[0]?.message).toStartWith(says);
      if (hint !== undefined) expect(findings[0]?.hint).toBe(hint);
    });
  }

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
