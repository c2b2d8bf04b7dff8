import { describe, expect, test } from "bun:test";
import { readTokens } from "./tokens.ts";

describe("readTokens distinguishes code from text that looks like it", () => {
  const cases: readonly { note: string; source: string; tokens: readonly string[] }[] = [
    {
      note: "comments",
      source: "a // b\n/* c\n */ d",
      tokens: ["word a", "comment // b", "comment /* c\n */", "word d"],
    },
    {
      note: "strings",
      source: `"a // b" 'c "d"' "e\\"f"`,
      tokens: ["string a // b", `string c "d"`, `string e\\"f`],
    },
    { note: "a pattern", source: `= /"[/"]\\//g;`, tokens: ["sign =", `pattern /"[/"]\\//g`, "sign ;"] },
    { note: "a pattern after return", source: "return /a/;", tokens: ["word return", "pattern /a/", "sign ;"] },
    {
      note: "division",
      source: "a / b / (c) / 2",
      tokens: ["word a", "sign /", "word b", "sign /", "sign (", "word c", "sign )", "sign /", "number 2"],
    },
    {
      note: "a template with an expression",
      source: "`a ${b + `${c}`} d` e",
      tokens: [
        ...["template a ", "sign {", "word b", "sign +"],
        ...["template ", "sign {", "word c", "sign }", "template "],
        ...["sign }", "template  d", "word e"],
      ],
    },
    {
      note: "braces in a template's expression",
      source: "`${f({ a: {} })}`",
      tokens: [
        ...["template ", "sign {", "word f", "sign (", "sign {", "word a", "sign :", "sign {", "sign }", "sign }"],
        ...["sign )", "sign }", "template "],
      ],
    },
    { note: "a dollar in a template", source: "`$a \\${b} \\``", tokens: ["template $a \\${b} \\`"] },
    { note: "private names", source: "this.#a", tokens: ["word this", "sign .", "word #a"] },
    { note: "a hashbang", source: "#!/usr/bin/env x\na", tokens: ["word a"] },
  ];
  for (const { note, source, tokens } of cases) {
    test(note, () => expect(readTokens(source).map(({ kind, text }) => `${kind} ${text}`)).toEqual([...tokens]));
  }
});

test("readTokens counts lines and open brackets", () => {
  const tokens = readTokens("#!x\na {\n/*\n*/ `\n${b}` }\nc");
  const places = tokens.filter(({ kind }) => kind === "word").map(({ text, line, depth }) => ({ text, line, depth }));
  expect(places).toEqual([
    { text: "a", line: 2, depth: 0 },
    { text: "b", line: 5, depth: 2 },
    { text: "c", line: 6, depth: 0 },
  ]);
});
