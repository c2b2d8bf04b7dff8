import { describe, expect, test } from "bun:test";
import { formatTree } from "../../src/cel/format-tree.ts";
import { parse } from "../../src/cel/parse-expression.ts";

function formatted(text: string, references = false): string {
  const parsed = parse(text, { references });
  return parsed.ok ? formatTree(parsed.value.tree) : `${parsed.error.code} at ${parsed.error.span.start}`;
}

describe("parse, and its canonical text", () => {
  const cases: readonly (readonly [note: string, text: string, canonical: string])[] = [
    ["white space", "  a\t==\n1 ", "a == 1"],
    ["comments", "a // b\n && c", "a && c"],
    ["needless parentheses", "((a)) && (b && (c))", "a && b && c"],
    ["needed parentheses", "(a || b) && !(c && d)", "(a || b) && !(c && d)"],
    ["sums and differences", "a - (b - c) - d", "a - (b - c) - d"],
    ["comparisons, to the left", "a < b == c", "a < b == c"],
    ["comparisons of comparisons", "(a == b) < c", "(a == b) < c"],
    ["comparisons on the right", "a == (b < c)", "a == (b < c)"],
    ["conditionals", "a ? b : c ? d : e", "a ? b : c ? d : e"],
    ["conditionals in the middle", "a ? b ? c : d : e", "a ? (b ? c : d) : e"],
    ["minus signs", "-a - -1 - -(-2) - -(-x)", "-a - -1 - -(-2) - -(-x)"],
    ["minus signs on zero", "- -0 + - - -0 + -(0) + -(-0.0)", "0 + 0 + 0 + -(-0.0)"],
    ["the least int", "-9223372036854775808", "-9223372036854775808"],
    ["hex", "0xFF == -0x10", "255 == -16"],
    ["uints", "0xFu + 1U", "15u + 1u"],
    ["doubles", "1.0 + 1e3 + 1.5e300 + -0.0 + 5e-324", "1.0 + 1000.0 + 1.5e+300 + -0.0 + 5e-324"],
    ["great doubles", "1e21 + 123456789012345680000.0", "1e+21 + 123456789012345680000.0"],
    [
      "strings",
      `'a"b' + r'\\d' + """x\ny""" + "\\101\\x41\\u0041\\U00000041"`,
      '"a\\"b" + "\\\\d" + "x\\u000ay" + "AAAA"',
    ],
    ["characters beyond ASCII", '"é😀\u202e"', '"\\u00e9\\U0001f600\\u202e"'],
    ["bytes", `b'a"é\\xff\\101\\n'`, 'b"a\\"\\xc3\\xa9\\xffA\\x0a"'],
    ["triple-quoted bytes", "b'''a'b'''", `b"a'b"`],
    ["lists and maps", "[1, 2,] + [{'a': [], true: {}}]", '[1, 2] + [{"a": [], true: {}}]'],
    ["methods on numbers", "1.size() == (-1).abs()", "(1).size() == (-1).abs()"],
    ["macros", "a.map(x, x > 1, x).exists_one(y, y in [1])", "a.map(x, x > 1, x).exists_one(y, y in [1])"],
    ["has", "has(a.b.c) && has(f(x).d)", "has(a.b.c) && has(f(x).d)"],
    ["a macro with a wrong number of arguments is a call", "a.all(x)", "a.all(x)"],
    ["comparisons that bind alike", "a == b < c", "rule.cel-syntax at 0"],
    ["the same with parentheses inside", "a == (b) < (c)", "rule.cel-syntax at 0"],
    ["the same with in", "a != b in c", "rule.cel-syntax at 0"],
    ["parentheses around more", "a == ((b) < (c))", "a == (b < c)"],
    ["a comment is no parenthesis", "a == // (\n b < c", "rule.cel-syntax at 0"],
    ["an int out of range", "1 + 9223372036854775808", "rule.cel-syntax at 4"],
    ["a variable that is none", "a.all(b.c, true)", "rule.cel-syntax at 8"],
    ["a lone surrogate", '"\ud800"', "rule.cel-syntax at 0"],
    ["a reserved word", "a.b + while", "rule.cel-syntax at 6"],
    ["a message", "a.b{c: 1}", "rule.cel-syntax at 3"],
  ];
  for (const [note, text, canonical] of cases) {
    test(note, () => {
      expect(formatted(text)).toBe(canonical);
      if (!canonical.startsWith("rule.")) expect(formatted(canonical)).toBe(canonical);
    });
  }
});

describe("parse with references", () => {
  const cases: readonly (readonly [note: string, text: string, canonical: string])[] = [
    ["an operand", "$a && !$b", "$a && !$b"],
    ["words of CEL as names", "$in + $true + $null + $while + $_proto__", "$in + $true + $null + $while + $_proto__"],
    ["a receiver, an index, an argument", "$a.size() == $b[$c] + f($d)", "$a.size() == $b[$c] + f($d)"],
    ["the operand of a selection", "$a.b && has($a.b)", "$a.b && has($a.b)"],
    ["all of has()", "has($a)", "has($a)"],
    ["in a string", '"$a" == $b', '"$a" == $b'],
    ["a reserved name without the dollar", "Ra == 1", "Ra == 1"],
    ["a function", "$a(1)", "rule.cel-syntax at 0"],
    ["a function, apart", "$a // \n (1)", "rule.cel-syntax at 0"],
    ["a method", "x.$a(1)", "rule.cel-syntax at 2"],
    ["a field", "x.$a", "rule.cel-syntax at 2"],
    ["a field in has()", "has(x.$a)", "rule.cel-syntax at 6"],
    ["a variable", "[1].all($a, true)", "rule.cel-syntax at 8"],
    ["the end of a name", "size$a", "rule.cel-syntax at 4"],
    ["behind a name", "size $a", "rule.cel-syntax at 5"],
    ["no name", "$ == 1", "rule.cel-syntax at 0"],
    ["not one expression", "false) || (true", "rule.cel-syntax at 5"],
    ["two dollars", "$$a", "rule.cel-syntax at 0"],
  ];
  for (const [note, text, canonical] of cases) {
    test(note, () => expect(formatted(text, true)).toBe(canonical));
  }

  test("spans are those of the text given", () => {
    const parsed = parse("1 + $abc", { references: true });
    expect(parsed.ok && parsed.value.tree.kind === "binary" && parsed.value.tree.right).toEqual({
      kind: "reference",
      name: "abc",
      span: { start: 4, end: 8 },
    });
  });
});
