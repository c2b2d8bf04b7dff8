import { describe, expect, test } from "bun:test";
import { bind } from "../../src/cel/bind.ts";
import { check } from "../../src/cel/check-expression.ts";
import { compile } from "../../src/cel/compile-expression.ts";
import { createMeter, evaluate } from "../../src/cel/evaluate-condition.ts";
import { findReferences, scan } from "../../src/cel/scan-tokens.ts";
import { createOracle } from "../support/cel/oracle.ts";
import { RULES } from "../support/cel/rules.ts";
import { describeValue } from "../support/plain/describe.ts";
import { seededRandom } from "../support/random.ts";

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

describe("A9: raw strings, in which a backslash is an ordinary character", () => {
  const oracle = createOracle(new Map());
  const ours = (text: string): string => {
    const checked = check(text, RULES);
    if (!checked.ok) return checked.error.map(({ code }) => code).join();
    const outcome = evaluate(compile(checked.value, RULES), bind(RULES, {}, {}), createMeter());
    return outcome.kind === "value" ? describeValue(outcome.value) : outcome.kind;
  };

  const refused: readonly (readonly [note: string, text: string])[] = [
    ["a quote that CEL reads as the end", `r'''a\\''' == r'''a\\'''`],
    ["the same with four quotes", `r'''a\\'''' == ''`],
    ["double quotes", 'R"""a\\""" == ""'],
    ["one quote", `r'a\\' == 'b'`],
    ["a quote that CEL reads as the end, and code behind it", `r'\\' == 'x' || true || 'x' == '\\'`],
    ["a line feed behind a backslash", `r'a\\\n' == 'b'`],
    ["a reference that only one of them reads", `r'\\' + $a + '\\'`],
  ];
  test.each(refused)("A9: %s is refused", (_note, text) => expect(ours(text)).toBe("rule.cel-syntax"));

  const same: readonly string[] = [
    `r'''a\\'b'''`,
    `r'a\\\\'`,
    `r"a\\d'"`,
    `R'''\\\\'''`,
    `r''''a'''`,
    `r"\\n"`,
    `"a\\"b"`,
    `'''\\'''a'''`,
  ];
  test.each(same)("A9: %s is read as CEL reads it", (text) => expect(ours(text)).toBe(oracle(text)));

  const seed = Date.now() % 1_000_000_000;
  test(`A9: whatever is accepted is read as the oracle reads it (seed ${seed})`, () => {
    const random = seededRandom(seed);
    const quotes = ["'", '"', "'''", '"""'] as const;
    let accepted = 0;
    for (let index = 0; index < 3_000; index++) {
      const quote = random.pick(quotes);
      const body = Array.from(
        { length: random.below(6) },
        () => random.pick(["\\", "\\", "'", '"', "a", "n", "\n", "$a"]),
      );
      const text = `r${quote}${body.join("")}${quote}`;
      const found = ours(text);
      if (found.startsWith("rule.")) continue;
      accepted++;
      expect(found, JSON.stringify(text)).toBe(oracle(text));
    }
    expect(accepted).toBeGreaterThan(500);
  });
});
