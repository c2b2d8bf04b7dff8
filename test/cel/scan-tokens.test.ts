import { describe, expect, test } from "bun:test";
import { findReferences, scan } from "../../src/cel/scan-tokens.ts";

describe("findReferences", () => {
  const cases: readonly (readonly [note: string, text: string, names: readonly string[]])[] = [
    ["one", "$a", ["a"]],
    ["several", "$a && !$b_2 || ($_c)", ["a", "b_2", "_c"]],
    ["in a string", "\"$a\" == '$b'", []],
    ["behind an escaped quote", '"\\"$a" + $b', ["b"]],
    ["in a raw string, where a backslash skips a character too", 'r"\\"$a" + $b', ["b"]],
    ["in bytes", "b'$a' + $b", ["b"]],
    ["in a triple-quoted string", '"""$a " $b "" $c""" + $d', ["d"]],
    ["in a string with single triple quotes", "'''$a\n'$b''' + $c", ["c"]],
    ["after an empty string", '"" + $a', ["a"]],
    ["in a comment", "$a // $b\n&& $c", ["a", "c"]],
    ["in a comment to the end", "$a // $b", ["a"]],
    ["a comment ends at a line feed alone", "// \r $a\n$b", ["b"]],
    ["what looks like a comment in a string", '"// " + $a', ["a"]],
    ["a dollar without a name", "$ $1 $$a", ["a"]],
    ["in a string that does not end", '"abc $a', []],
    ["after a division", "1 / $a", ["a"]],
    ["a prefix that belongs to a name", 'abr"$a" + $b', ["b"]],
    ["a prefix after a number", '0xb"$a" + $b', ["b"]],
    ["names end at other letters", "$aé", ["a"]],
  ];
  for (const [note, text, names] of cases) {
    test(note, () => {
      const found = findReferences(text);
      expect(found.map(({ name }) => name)).toEqual([...names]);
      for (const { name, span } of found) expect(text.slice(span.start, span.end)).toBe(`$${name}`);
    });
  }
});

test("scan gives tokens without gaps but for white space and comments", () => {
  const text = 'a.b != 1u && !$c // x\n|| r"y"';
  expect([...scan(text)].map(({ kind, span }) => `${kind} ${text.slice(span.start, span.end)}`)).toEqual([
    "word a",
    "symbol .",
    "word b",
    "symbol !=",
    "number 1",
    "word u",
    "symbol &&",
    "symbol !",
    "reference $c",
    "symbol ||",
    'string r"y"',
  ]);
});
