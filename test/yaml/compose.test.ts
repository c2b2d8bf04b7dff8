// From syntax to tree: YAML 1.2 core, duplicate keys, aliases, and the errors for broken syntax.
import { describe, expect, test } from "bun:test";
import { AGENT_LIMITS, OPERATOR_LIMITS, parseRuleFile } from "../../src/rule/parse-rule-file.ts";
import { placesOf } from "../../src/yaml/text-places.ts";
import { composeYaml, SYNTAX_ERRORS, type YamlDocument } from "../../src/yaml/compose.ts";
import { scanYaml } from "../../src/yaml/scan-yaml.ts";
import { format } from "../support/rule/file.ts";

function compose(text: string): YamlDocument {
  const places = placesOf("f", text);
  return composeYaml(text, scanYaml(text, OPERATOR_LIMITS, places).syntax, places);
}

/** A text, and its value as JSON. */
const VALUES: readonly (readonly [text: string, value: unknown])[] = [
  ["[yes, no, on, off, y, n]", ["yes", "no", "on", "off", "y", "n"]],
  ["[true, True, TRUE, false]", [true, true, true, false]],
  ["[null, ~, Null, ]", [null, null, null]],
  ["[0o17, 017, 0x1F, 1e3, 1_000, -0, .5]", [15, 17, 31, 1000, "1_000", -0, 0.5]],
  ["[2001-01-01, 1:30, =]", ["2001-01-01", "1:30", "="]],
  ["{1: a, true: b, null: c, '': d, ~: e}", { 1: "a", true: "b", null: "c", "": "d", "~": "e" }],
  ["{<<: {a: b}}", { "<<": { a: "b" } }],
  ["{constructor: a, toString: b}", { constructor: "a", toString: "b" }],
  ["a: &x [1]\nb: *x\nc: &x 2\nd: *x\n", { a: [1], b: [1], c: 2, d: 2 }],
  ["? a\n? b\n", { a: null, b: null }],
  ["[a: b, {c}]", [{ a: "b" }, { c: null }]],
];

describe("composeYaml gives the values of YAML 1.2 core", () => {
  test.each(VALUES.map(([text, value]) => ({ text, value: JSON.stringify(value) })))("$text", ({ text, value }) => {
    const { root, findings } = compose(text);
    expect(findings).toEqual([]);
    expect(JSON.stringify(root?.value)).toBe(value);
  });

  test("__proto__ is a key like any other", () => {
    const { root } = compose("{__proto__: {a: b}}");
    expect(JSON.stringify(root?.value)).toBe('{"__proto__":{"a":"b"}}');
  });
});

describe("composeYaml reports", () => {
  test.each([
    {
      note: "a duplicate key",
      text: "a: 1\nb: 2\na: 3\n",
      findings: ['3:1-3:2 rule.yaml duplicate key "a" | line 1 has it already'],
    },
    {
      note: "duplicate keys at every level",
      text: "- {a: 1, 'a': 2}\n- b:\n    c: 1\n    d: 2\n    \"\\x63\": 3\n",
      findings: [
        '1:10-1:13 rule.yaml duplicate key "a" | line 1 has it already',
        '5:5-5:11 rule.yaml duplicate key "c" | line 3 has it already',
      ],
    },
    {
      note: "each of three",
      text: "{a: , a: , a: }",
      findings: ["1:7-1:8", "1:12-1:13"].map((place) => `${place} rule.yaml duplicate key "a" | line 1 has it already`),
    },
    {
      note: "keys that look different and are not",
      text: "{1: a, '1': b}",
      findings: ['1:8-1:11 rule.yaml duplicate key "1" | line 1 has it already'],
    },
    {
      note: "an alias without an anchor",
      text: "a: *b\nb: &b 1\n",
      findings: ['1:4-1:6 rule.yaml alias "b" names no anchor before it'],
    },
    {
      note: "an alias inside of its anchor",
      text: "a: &b [*b]\n",
      findings: ['1:8-1:10 rule.yaml alias "b" is inside the value that it names'],
    },
    {
      note: "half a pair from an escape",
      text: 'a: "\\ud83d"\n"\\ude00": b\n',
      findings: [
        "1:4-1:12 rule.yaml an escape stands for half of a surrogate pair",
        "2:1-2:9 rule.yaml an escape stands for half of a surrogate pair",
      ],
    },
    { note: "a list as a key", text: "[a]: b\n", findings: ["1:1-1:2 rule.yaml a key must be a string"] },
    { note: "a map as a key", text: "? {a: b}\n: c\n", findings: ["1:3-1:4 rule.yaml a key must be a string"] },
    { note: "an alias as a key", text: "a: &a b\n*a : c\n", findings: ["2:1-2:3 rule.yaml a key must be a string"] },
    {
      note: "a tab as indentation",
      text: "a:\n\tb: c\n",
      findings: ["2:1-2:2 rule.yaml tabs are not allowed as indentation"],
    },
    { note: "an unknown escape", text: 'a: "\\q"\n', findings: ["1:5-1:6 rule.yaml invalid escape sequence \\q"] },
    {
      note: "an ambiguous alias",
      text: "a: &b: c\nd: *b:\n",
      findings: [
        "1:6-1:7 rule.yaml anchor ending in : is ambiguous | quote the whole value: a: '&b: c'",
        "2:6-2:7 rule.yaml alias ending in : is ambiguous",
      ],
    },
    {
      note: "a key that is too long",
      text: `${"k".repeat(1025)}: 1\n`,
      findings: [
        "1:1-1:1026 rule.yaml the : indicator must be at most 1024 chars after the start of an implicit block mapping key",
      ],
    },
  ])("$note", ({ text, findings }) => {
    expect(compose(text).findings.map(format)).toEqual([...findings]);
  });

  test.each([
    { note: "as many errors as there are", size: SYNTAX_ERRORS, shown: SYNTAX_ERRORS },
    { note: "the first of many errors", size: SYNTAX_ERRORS + 1, shown: SYNTAX_ERRORS },
    { note: "the first of a million errors", size: 1_000_000, shown: SYNTAX_ERRORS },
  ])("$note", ({ size, shown }) => {
    const { root, findings } = compose(`a: "${"\\q".repeat(size)}"\n`);
    expect(root).toBeNull();
    expect(findings.length).toBe(shown);
  });
});

test("an alias to a scalar has that scalar's places, and its own as a whole", () => {
  const text = `version: "1"\nx: 1\ndefinitions:\n  a: &a b == c\nrules:\n  - {id: r, condition: *a, action: allow}\n`;
  const { document } = parseRuleFile("f", text, OPERATOR_LIMITS);
  expect(document?.rules[0]?.condition.place(5, 6)).toMatchObject({ line: 4, column: 14 });
});

test.each([
  { note: "plain", scalar: "x".repeat(60_000) },
  { note: "quoted", scalar: `"${"\\n".repeat(30_000)}"` },
  { note: "folded", scalar: `>\n${"    x\n".repeat(10_000)}` },
])("a huge scalar, $note, is one token", ({ scalar }) => {
  const text = `version: "1"\ndefinitions:\n  a: ${scalar}`;
  const { document, findings } = parseRuleFile("request", text, AGENT_LIMITS);
  expect(findings.map(({ code }) => code)).toEqual(["rule.no-rules"]);
  expect(document?.definitions[0]?.expression.text.length).toBeGreaterThan(19_000);
});
