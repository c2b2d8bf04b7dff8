import { describe, expect, test } from "bun:test";
import { escapeToAscii, foldToLine, showCondition } from "../../src/cli/ascii.ts";

describe("escapeToAscii", () => {
  const cases: readonly (readonly [text: string, escaped: string])[] = [
    [" ~az", " ~az"],
    ["\n\t\u001b\u007f", "\\u{a}\\u{9}\\u{1b}\\u{7f}"],
    ["gіt\u202e😀", "g\\u{456}t\\u{202e}\\u{1f600}"],
    ["\ud800", "\\u{d800}"],
  ];
  for (const [text, escaped] of cases) test(escaped, () => expect(escapeToAscii(text)).toBe(escaped));
});

describe("showCondition shows the escapes of literals, and leaves escaped backslashes", () => {
  const cases: readonly (readonly [canonical: string, shown: string])[] = [
    ['"g\\u0456t" == "\\U0001f600"', '"g\\u{456}t" == "\\u{1f600}"'],
    ['"\\\\u0456" == "\\"\\u000a"', '"\\\\u0456" == "\\"\\u{a}"'],
    ['b"\\xff"', 'b"\\xff"'],
  ];
  for (const [canonical, shown] of cases) test(shown, () => expect(showCondition(canonical)).toBe(shown));
});

describe("foldToLine", () => {
  const cases: readonly (readonly [note: string, text: string, limit: number, line: string])[] = [
    ["white space", "  a \n\n\t b\u00a0c  ", 20, "a b c"],
    ["as long as may be", "abcdef", 6, "abcdef"],
    ["longer by one", "abcdefg", 6, "abc..."],
    ["an escape is not cut in two", "aéé", 10, "a\\u{e9}..."],
    ["no room for an escape", "aéé", 9, "a..."],
  ];
  for (const [note, text, limit, line] of cases) test(note, () => expect(foldToLine(text, limit)).toBe(line));
});
