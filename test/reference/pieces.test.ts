// The parts of the generated pages: escaped table cells, formatted JSON, and examples that are really evaluated.
import { describe, expect, test } from "bun:test";
import { refusalOf, resultOf, typeOf } from "../../scripts/reference/evaluate-example.ts";
import { findingTable } from "../../scripts/reference/findings.ts";
import { jsonText } from "../../scripts/reference/json-text.ts";
import { anchor, code, table, words } from "../../scripts/reference/markdown.ts";
import { membersOf, typeText } from "../../scripts/reference/members.ts";
import { bytesText, countText } from "../../scripts/reference/quantity-text.ts";
import { rateText } from "../../src/api/rate-text.ts";
import type { Json } from "../../src/core/json.ts";

test("table: a cell ends neither its row nor itself", () => {
  expect(table(["A", "B"], [["a|b", "c\nd"], ["`a || b`", ""]])).toBe(
    "| A | B |\n|---|---|\n| a\\|b | c d |\n| `a \\|\\| b` |  |\n",
  );
  expect(table(["A"], [["<a> `<a>` *.b<br>"]])).toEndWith("| \\<a> `<a>` \\*.b<br> |\n");
});

test.each([
  ["a", "`a`"],
  ["a`b", "``a`b``"],
  ["`a", "`` `a ``"],
  ["a``", "``` a`` ```"],
])("code: %p", (text, expected) => expect(code(text)).toBe(expected));

test.each([
  ["POST /api/v1/rule-request/{id}/deny", "post-apiv1rule-requestiddeny"],
  ["What an agent's request sets", "what-an-agents-request-sets"],
  ["Absent, and failing", "absent-and-failing"],
])("anchor: %p", (heading, expected) => expect(anchor(heading)).toBe(expected));

test("words", () => {
  expect([[], ["a"], ["a", "b"], ["a", "b", "c"]].map((each) => words(each))).toEqual(["", "a", "a or b", "a, b or c"]);
});

test("quantities", () => {
  expect([64 * 1024, 16 * 1024 * 1024, 253].map(bytesText)).toEqual(["64 KiB", "16 MiB", "253 bytes"]);
  expect([1, 999, 1_000, 1_000_000].map(countText)).toEqual(["1", "999", "1,000", "1,000,000"]);
  expect(rateText({ count: 10, periodMs: 60_000 })).toBe("10 in 60 s");
});

describe("jsonText is the same JSON, in lines of a width", () => {
  const long = "x".repeat(60);
  const cases: readonly Json[] = [
    null,
    [],
    {},
    "a",
    [1, "b", { c: [] }],
    { a: long, b: { c: long, d: [long, long] } },
    [long, [long, { e: {} }]],
  ];
  test.each(cases.map((value) => [JSON.stringify(value).slice(0, 40), value] as const))("%s", (_, value) => {
    const text = jsonText(value);
    expect(JSON.parse(text)).toEqual(value);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(110);
  });
  test("short values stand in one line", () => {
    expect(jsonText({ a: [1, { b: "c" }] })).toBe('{"a": [1, {"b": "c"}]}');
  });
});

describe("resultOf", () => {
  test.each([
    ["1 + 1", "`2`"],
    ["2u", "`2u`"],
    ["1.0", "`1.0`"],
    ['{"a": [1, 2]}', '`{"a": [1, 2]}`'],
    ["null", "`null`"],
    ['b"a\\x00\\""', '`b"a\\x00\\x22"`'],
    ["type(1u)", "`uint`"],
    ['timestamp("2026-01-01T00:00:00Z")', '`timestamp("2026-01-01T00:00:00Z")`'],
    ['duration("1.5s")', '`duration("1.5s")`'],
    ["1 / 0", "fails: division by zero"],
    ["dns.query", "no value"],
  ])("%s", (expression, expected) => expect(resultOf(expression)).toBe(expected));

  test("an example that does not load is no example", () => {
    expect(() => resultOf("run.tol")).toThrow("example run.tol");
    expect(() => refusalOf("true")).toThrow("example true loads");
    expect(typeOf("run.tol")).toBeUndefined();
  });
});

test("a finding that no example has is no table", () => {
  expect(() => findingTable({ room: "rule", find: () => [] })).toThrow("rule.yaml: no example has it");
});

test("membersOf: members of objects within objects, lists and alternatives stand behind them", () => {
  const inner = { properties: { b: { type: "integer", minimum: 1, description: "B." } }, required: ["b"] };
  const schema = {
    properties: {
      o: { type: "object", description: "O.", ...inner },
      l: { type: "array", description: "L.", items: { type: "object", ...inner } },
      n: { anyOf: [{ type: "object", ...inner }, { type: "null" }], description: "N." },
    },
  };
  expect(membersOf(schema, {}).map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
    ["o", "object", false],
    ["o.b", "integer from 1", true],
    ["l", "list of objects", false],
    ["l[].b", "integer from 1", true],
    ["n", "object or null", false],
    ["n.b", "integer from 1", true],
  ]);
});

test("typeText", () => {
  expect(typeText({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER })).toBe("integer, 0 to 2^53-1");
  expect(typeText({ anyOf: [{ const: "a" }, { type: "null" }] })).toBe('`"a"` or null');
  expect(typeText({ type: "object", patternProperties: { "^.*$": { type: "string" } } })).toBe("map of strings");
  expect(typeText({ $ref: "#/components/schemas/BridgeData" })).toBe("[BridgeData](#bridgedata)");
});
