// The titles of tests, read from their files.
import { describe, expect, test } from "bun:test";
import { titlesOf } from "./test-titles.ts";

describe("titlesOf finds the titles of tests and groups", () => {
  const cases: readonly (readonly [note: string, source: string, ...titles: string[]])[] = [
    ["a test", 'test("a", () => {});', "a"],
    ["a group and what is in it", 'describe("a", () => { test("b", async () => {}); });', "a", "b"],
    ["a call over lines", 'test(\n  "a",\n  () => {},\n);', "a"],
    ["a quote in it", 'test("a \\"b\\"", () => {});', 'a "b"'],
    ["a comment before it", 'test(/* c */ "a", () => {});', "a"],
    ["a table", 'test.each([["x", ")"]])("a %s", () => {});', "a %s"],
    ["a condition", 'test.skipIf(no)("a", () => {});', "a"],
    ["a condition on a table", 'describe.skipIf(f(1))("a", () => { test.each(X)("$b", () => {}); });', "a", "$b"],
    ["a template", "test(`a ${b.c} d`, () => {});", "a ... d"],
    ["a template of variables alone", "test(`${a}: ${b}`, () => {});", "...: ..."],
    ["a template in a template", "test(`a ${b ? `${c}` : {}} d`, () => {});", "a ... d"],
    ["a template without variables", "test(`a \\`b\\``, () => {});", "a `b`"],
  ];
  for (const [note, source, ...titles] of cases) {
    test(note, () => expect(titlesOf("a.test.ts", source)).toEqual(titles));
  }
});

describe("titlesOf ignores text that is not a title", () => {
  const cases: readonly (readonly [note: string, source: string])[] = [
    ["a variable", "test(note, () => {});"],
    ["a method of another", 'pattern.test("a");'],
    ["a comment", '// test("a", () => {});'],
    ["a string", "const text = 'test(\"a\")';"],
  ];
  for (const [note, source] of cases) test(note, () => expect(titlesOf("a.test.ts", source)).toEqual([]));
});

test("titlesOf gives the headings of a script and the notes of cases", () => {
  expect(titlesOf("a.txt", "# one\n$ outcall # no\n#no\n# two: more\n")).toEqual(["one", "two: more"]);
  expect(titlesOf("a.yaml", "- note: 'one: a'\n- {note: two, files: {}}\n- none\n")).toEqual(["one: a", "two"]);
  expect(titlesOf("a.yaml", "note: one\n")).toEqual([]);
});
