import { describe, expect, test } from "bun:test";
import { check } from "../../src/cel/check-expression.ts";
import { FUNCTIONS } from "../../src/cel/functions.ts";
import { codesOf, outcomeOf, RULES } from "../support/cel/rules.ts";

// Cases beyond the official ones, which test/conformance runs.
describe("functions", () => {
  const cases: readonly (readonly [note: string, text: string, outcome: unknown])[] = [
    ["indexes count code points", '"a😀b😀".lastIndexOf("😀") == 3 && "a😀b".charAt(1) == "😀"', true],
    ["an index at the end", '"abc".charAt(3) == "" && "abc".substring(3) == ""', true],
    ["an index beyond it", '"abc".charAt(4)', "error: index out of range: 4"],
    ["a huge index", '"abc".substring(9223372036854775807)', "error: index out of range: 9223372036854775807"],
    ["the empty string, split", '"".split("") == [""] && "".split(",") == [""]', true],
    ["code points, split", '"a😀".split("") == ["a", "😀"]', true],
    ["split with a limit", '"a,b,c".split(",", 2) == ["a", "b,c"] && "a".split(",", 0) == []', true],
    ["lower case of ASCII alone", '"ÀA".lowerAscii() == "Àa" && "àa".upperAscii() == "àA"', true],
    ["all white space", '"  ".trim() == ""', true],
    ["both forms of size", 'size("é") == 1 && "é".size() == 1 && b"é".size() == 2', true],
    ["strings in order of code points", '"\\uffff" < "\\U00010000" && "a" < "ab" && !("b" < "ab")', true],
    ["doubles that are no number", "0.0 / 0.0 == 0.0 / 0.0 || 0.0 / 0.0 < 1.0 || 0.0 / 0.0 >= 1.0", false],
    ["a list with what is no number", "[0.0 / 0.0].all(n, [n] != [n])", true],
    ["integers are exact", "9223372036854775807 == 9223372036854775806", false],
    [
      "indexes and keys across types",
      "metadata.l[1u] == 2 && [1, 2][metadata.one] == 2 && metadata.one in {1u: 'a'} && !(metadata.half in {1: 2})",
      true,
    ],
    ["a key twice", "{'a': 1, http.method: 2}.size() == 2", "error: a map has the same key twice"],
    ["an element by a fraction", "metadata.l[1.5]", "error: double cannot be an index"],
    ["what cannot be a key", "metadata.l in metadata", "error: list cannot be a key of a map"],
    ["a pattern is not anchored", '"xaby".matches("ab") && !"xaby".matches("^ab$")', true],
    ["a pattern over code points", '"😀".matches("^.$")', true],
    ["a pattern with an alternative has no prefix", '"b".matches("^a|b")', true],
    ["a pattern with an optional end of prefix", '"ab".matches("^abc?$") && "a".matches("^ab*")', true],
    ["a pattern that ignores case", '"AB".matches("(?i)^ab")', true],
    ["exists_one needs every element", "[1, 2].exists_one(n, n / 0 == n || n == 1)", "error: division by zero"],
    ["filter fails with an element", "[1].filter(n, n / 0 == 1).size() == 1", "error: division by zero"],
    ["map with a condition", "[1, 2, 3].map(n, n > 1, n * 2) == [4, 6]", true],
    [
      "comprehensions within each other",
      "[1, 2].all(a, [3].all(b, b > a)) && [[1]].exists(a, a.exists(b, b == 1))",
      true,
    ],
    ["a variable within a variable of its name", "[[1], [2]].all(a, a.exists(a, a > 0))", true],
    ["the day of a year", 'timestamp("2024-12-31T23:00:00Z").getDayOfYear() == 365', true],
    ["a zone by name", 'timestamp("2024-07-01T22:30:00Z").getDate("Europe/Vienna") == 2', true],
    ["A9: the year before the first", 'timestamp("0001-01-01T00:00:00Z").getFullYear("America/New_York") == 0', true],
    ["an unknown zone", 'timestamp(0).getHours("Nowhere/At_all")', "error: unknown time zone"],
    [
      "a day that there is not",
      'timestamp("2023-02-29T00:00:00Z")',
      "error: timestamp names a day that does not exist",
    ],
    ["the 24th hour", 'timestamp("2023-01-01T24:00:00Z")', "error: timestamp is not RFC 3339"],
    ["before 1970", 'string(timestamp("1969-12-31T23:59:59.5Z")) == "1969-12-31T23:59:59.5Z"', true],
    ["an offset", 'timestamp("2020-01-01T00:00:00+01:00") == timestamp("2019-12-31T23:00:00Z")', true],
    ["durations", 'string(duration("1h1m1.5s")) == "3661.5s" && duration("-0.5s") < duration("1ns")', true],
    ["a duration without a unit", 'duration("5")', "error: duration is malformed"],
    ["a number in words", 'int("0x10")', "error: string is not an integer"],
    ["a number with white space", 'double(" 1")', "error: string is not a double"],
    ["a number too great", 'int("9223372036854775808")', "error: integer overflow"],
    ["bytes that are no UTF-8", 'string(b"\\xff")', "error: bytes are not UTF-8"],
    ["the least int cannot be negated", "-(-9223372036854775808) > 0", "error: integer overflow"],
    ["the least int by -1", "-9223372036854775808 / -1 > 0", "error: integer overflow"],
  ];
  for (const [note, text, outcome] of cases) {
    test(
      note,
      () =>
        expect(outcomeOf(text, { http: { method: "a" }, metadata: { l: [1, 2], one: 1, half: 0.5 } })).toEqual(outcome),
    );
  }

  test("bytes literals have no Unicode escapes", () =>
    expect(codesOf('size(b"\\u00e9") == 2')).toBe("rule.cel-syntax"));

  test("every function is known to the static check by the names that stand here", () => {
    for (const name of FUNCTIONS.keys()) {
      const known = name === "dyn" ? "dyn() is not available" : "";
      const checked = check(`${name}(1, 2, 3, 4, 5)`, RULES);
      expect(checked.ok, name).toBe(false);
      const messages = checked.ok ? [] : checked.error.map(({ message }) => message);
      expect(messages.join("; "), name).toContain(known);
      expect(messages.join("; "), name).not.toContain("unknown function");
    }
  });
});
