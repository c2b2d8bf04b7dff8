// The twelve rules beyond the conformance cases: several values, nesting, nulls. Both evaluations check each row.
import { describe, expect, test } from "bun:test";
import { statusesOf } from "../support/rulespec/rulespec.ts";

type Row = {
  readonly note: string;
  readonly selector?: string;
  readonly rule: string;
  readonly value?: string;
  readonly x: string;
  readonly gives: "pass" | "fail";
};

const ROWS: readonly Row[] = [
  { note: "one of several exists", selector: "x[*]", rule: "exists", x: "[null, 1]", gives: "pass" },
  { note: "all of several are null", selector: "x[*]", rule: "not_exists", x: "[null, null]", gives: "pass" },
  { note: "an empty list has no elements", selector: "x[*]", rule: "not_exists", x: "[]", gives: "pass" },
  { note: "an empty map exists", rule: "exists", x: "{}", gives: "pass" },
  {
    note: "nulls are dropped before values are counted",
    selector: "x[*]",
    rule: "equals",
    value: "1",
    x: "[null, 1, null]",
    gives: "pass",
  },
  { note: "two equal values are two", selector: "x[*]", rule: "equals", value: "1", x: "[1, 1]", gives: "fail" },
  { note: "a number is no text", rule: "equals", value: '"1"', x: "1", gives: "fail" },
  { note: "a boolean is no text", rule: "equals", value: '"true"', x: "true", gives: "fail" },
  { note: "a boolean is no number", rule: "equals", value: "1", x: "true", gives: "fail" },
  { note: "numbers compare by value", rule: "equals", value: "1.50", x: "1.5", gives: "pass" },
  { note: "zero has one sign", rule: "equals", value: "0", x: "-0.0", gives: "pass" },
  { note: "hexadecimal is a spelling", rule: "equals", value: "255", x: "0xff", gives: "pass" },
  {
    note: "the order of keys",
    rule: "equals",
    value: "{a: 1, b: {c: 2, d: 3}}",
    x: "{b: {d: 3, c: 2}, a: 1}",
    gives: "pass",
  },
  { note: "the order of elements", rule: "equals", value: "[1, 2]", x: "[2, 1]", gives: "fail" },
  { note: "a longer list", rule: "equals", value: "[1, 2]", x: "[1, 2, 3]", gives: "fail" },
  { note: "a shorter list", rule: "equals", value: "[1, 2]", x: "[1]", gives: "fail" },
  { note: "a further key", rule: "equals", value: "{a: 1}", x: "{a: 1, b: 2}", gives: "fail" },
  { note: "a missing key", rule: "equals", value: "{a: 1, b: 2}", x: "{a: 1}", gives: "fail" },
  { note: "another key", rule: "equals", value: "{a: 1}", x: "{b: 1}", gives: "fail" },
  { note: "null within equals null", rule: "equals", value: "{a: [null]}", x: "{a: [null]}", gives: "pass" },
  { note: "null within is not absent", rule: "equals", value: "{a: null}", x: "{}", gives: "fail" },
  { note: "null within is no text", rule: "equals", value: "[null]", x: '["null"]', gives: "fail" },
  { note: "an empty list is no empty map", rule: "equals", value: "[]", x: "{}", gives: "fail" },
  { note: "an empty list is no empty list within", rule: "equals", value: "[]", x: "[[]]", gives: "fail" },
  {
    note: "deep difference at the end",
    rule: "equals",
    value: "[[[{a: [1, 2]}]]]",
    x: "[[[{a: [1, 3]}]]]",
    gives: "fail",
  },
  { note: "a list with keys of numbers is no map", rule: "equals", value: '{"0": a}', x: "[a]", gives: "fail" },

  {
    note: "an equal list among elements",
    rule: "contains",
    value: "[1, {a: b}]",
    x: "[0, [1, {a: b}]]",
    gives: "pass",
  },
  { note: "the list itself is not its element", rule: "contains", value: "[1]", x: "[1]", gives: "fail" },
  { note: "elements of elements do not count", rule: "contains", value: "1", x: "[[1]]", gives: "fail" },
  { note: "null among elements", rule: "contains", value: "[null]", x: "[[null]]", gives: "pass" },
  { note: "a map by its values", rule: "contains", value: "{b: 1}", x: "{a: {b: 1}}", gives: "pass" },
  { note: "a map not by its keys", rule: "contains", value: "a", x: "{a: 1}", gives: "fail" },
  { note: "an element is compared, not searched", rule: "contains", value: "a", x: "[ab]", gives: "fail" },
  { note: "the empty text is in every text", rule: "contains", value: '""', x: "abc", gives: "pass" },
  { note: "a number is not searched in a text", rule: "contains", value: "1", x: '"123"', gives: "fail" },
  { note: "a number that equals", rule: "contains", value: "1", x: "1.0", gives: "pass" },
  { note: "a boolean that equals", rule: "contains", value: "true", x: "true", gives: "pass" },
  { note: "a boolean that does not", rule: "contains", value: "false", x: "true", gives: "fail" },
  { note: "a text is not searched in a number", rule: "contains", value: '"2"', x: "123", gives: "fail" },
  { note: "one of several values", selector: "x[*]", rule: "contains", value: "b", x: "[a, abc]", gives: "pass" },
  {
    note: "none of several values",
    selector: "x[*]",
    rule: "not_contains",
    value: "z",
    x: "[a, [b], {c: y}]",
    gives: "pass",
  },
  {
    note: "one of several values does",
    selector: "x[*]",
    rule: "not_contains",
    value: "y",
    x: "[a, [b], {c: y}]",
    gives: "fail",
  },

  { note: "every value is a member", selector: "x[*]", rule: "any_of", value: "[1, 2]", x: "[2, 1, 2]", gives: "pass" },
  { note: "one value is none", selector: "x[*]", rule: "any_of", value: "[1, 2]", x: "[1, 3]", gives: "fail" },
  { note: "a list as a whole", rule: "any_of", value: "[[1, 2]]", x: "[1, 2]", gives: "pass" },
  { note: "an empty list as a whole", rule: "any_of", value: "[[]]", x: "[]", gives: "pass" },
  {
    note: "a list whose elements are members by value",
    rule: "any_of",
    value: "[[1], {a: 1}]",
    x: "[{a: 1}, [1], [1]]",
    gives: "pass",
  },
  { note: "a list with an element that is none", rule: "any_of", value: "[[1], {a: 1}]", x: "[{a: 2}]", gives: "fail" },
  { note: "a list with null", rule: "any_of", value: "[a]", x: "[a, null]", gives: "fail" },
  { note: "a list with null as a member", rule: "any_of", value: "[a, null]", x: "[a, null]", gives: "pass" },
  { note: "a map by its values does not count", rule: "any_of", value: "[1]", x: "{a: 1}", gives: "fail" },
  { note: "no members at all", rule: "any_of", value: "[]", x: "a", gives: "fail" },
  {
    note: "nulls are dropped before membership",
    selector: "x[*]",
    rule: "any_of",
    value: "[a]",
    x: "[a, null]",
    gives: "pass",
  },
  { note: "only nulls are nothing", selector: "x[*]", rule: "any_of", value: "[null]", x: "[null]", gives: "fail" },
  { note: "a whole list that is a member", rule: "none_of", value: "[[1, 2]]", x: "[1, 2]", gives: "fail" },
  { note: "an element that is a member", rule: "none_of", value: "[{a: 1}]", x: "[0, {a: 1}]", gives: "fail" },
  { note: "an element of an element", rule: "none_of", value: "[1]", x: "[[1]]", gives: "pass" },
  { note: "null as an element", rule: "none_of", value: "[null]", x: "[null]", gives: "fail" },
  { note: "no members to be", rule: "none_of", value: "[]", x: "[1]", gives: "pass" },
  { note: "a map's values do not count", rule: "none_of", value: "[1]", x: "{a: 1}", gives: "pass" },

  { note: "equal is not greater", rule: "greater_than", value: "1", x: "1.0", gives: "fail" },
  { note: "equal is not less", rule: "less_than", value: "1", x: "1", gives: "fail" },
  { note: "fractions", rule: "greater_than", value: "0.1", x: "0.10000000000000002", gives: "pass" },
  { note: "a boolean is no number to compare", rule: "greater_than", value: "0", x: "true", gives: "fail" },
  { note: "a text is no number to compare", rule: "less_than", value: "9", x: '"5"', gives: "fail" },
  { note: "a list is no number to compare", rule: "greater_than", value: "0", x: "[5]", gives: "fail" },
  {
    note: "one of several is no number",
    selector: "x[*]",
    rule: "greater_than",
    value: "0",
    x: "[1, a]",
    gives: "fail",
  },
  {
    note: "nulls are dropped before numbers",
    selector: "x[*]",
    rule: "less_than",
    value: "9",
    x: "[1, null, 2]",
    gives: "pass",
  },

  { note: "a map has no length", rule: "min_length", value: "0", x: "{a: 1}", gives: "fail" },
  { note: "a text has no length", rule: "max_length", value: "9", x: "abc", gives: "fail" },
  { note: "zero at most", rule: "max_length", value: "0", x: "[]", gives: "pass" },
  { note: "one is over zero", rule: "max_length", value: "0", x: "[null]", gives: "fail" },
  { note: "the greatest length there is", rule: "max_length", value: "9007199254740991", x: "[1]", gives: "pass" },
  { note: "more than any list", rule: "min_length", value: "9007199254740991", x: "[1]", gives: "fail" },
  {
    note: "every list is as long",
    selector: "x[*]",
    rule: "min_length",
    value: "1",
    x: "[[1], [2, 3]]",
    gives: "pass",
  },
  {
    note: "nulls are dropped, lists are not",
    selector: "x[*]",
    rule: "max_length",
    value: "1",
    x: "[null, [1]]",
    gives: "pass",
  },

  { note: "search finds anywhere", rule: "matches", value: "'b+'", x: "abbc", gives: "pass" },
  { note: "a dot is no line feed", rule: "matches", value: "'^.$'", x: '"\\n"', gives: "fail" },
  { note: "flags within", rule: "matches", value: "'(?i)^ABC$'", x: "abc", gives: "pass" },
  { note: "a number is no text to search", rule: "matches", value: "'1'", x: "1", gives: "fail" },
  {
    note: "one of several does not match",
    selector: "x[*]",
    rule: "matches",
    value: "'^a'",
    x: "[ab, ba]",
    gives: "fail",
  },
];

describe("rules", () => {
  test.each(ROWS)("$rule: $note", ({ selector = "x", rule, value, x, gives }) => {
    const given = value === undefined ? "" : `, value: ${value}`;
    const rulespec =
      `claims: [{name: c, selector: "${selector}"}]\npredicates: [{claim: c, rule: ${rule}${given}, source: memory}]\n`;
    expect(statusesOf(rulespec, `facts: {x: ${x}}\n`)).toEqual([gives]);
  });
});

describe("absent values fail every rule but three", () => {
  const values: readonly (readonly [rule: string, value: string, gives: "pass" | "fail"])[] = [
    ["exists", "null", "fail"],
    ["not_exists", "null", "pass"],
    ["equals", "a", "fail"],
    ["contains", "a", "fail"],
    ["not_contains", "a", "pass"],
    ["any_of", "[a]", "fail"],
    ["none_of", "[a]", "pass"],
    ["greater_than", "0", "fail"],
    ["less_than", "0", "fail"],
    ["min_length", "0", "fail"],
    ["max_length", "0", "fail"],
    ["matches", "''", "fail"],
  ];
  for (const facts of ["{x: null}", "{y: 1}", "{x: {y: 1}}", "{x: [{z: 1}, {y: null}]}"]) {
    const selector = facts.startsWith("{x: null") || facts.startsWith("{y")
      ? "x"
      : facts.includes("[")
      ? "x[*].y"
      : "x[0]";
    test.each(values)(`%s of ${selector} in ${facts}`, (rule, value, gives) => {
      const rulespec =
        `claims: [{name: c, selector: "${selector}"}]\npredicates: [{claim: c, rule: ${rule}, value: ${value}, source: memory}]\n`;
      expect(statusesOf(rulespec, `facts: ${facts}\n`)).toEqual([gives]);
    });
  }
});
