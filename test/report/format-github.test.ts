import { describe, expect, test } from "bun:test";
import { formatGithub } from "../../src/report/format-github.ts";
import { CLEAN, HOSTILE, linesOf, ORDINARY, UNPRINTABLE } from "./reports.ts";

describe("formatGithub", () => {
  test("is one command for a finding", () => {
    expect(linesOf(formatGithub(ORDINARY))).toEqual([
      "::error file=rules.d/00-base.yaml,line=4,endLine=4,col=16,endColumn=31,title=rule.unknown-field::" +
      'rule "a": unknown field "hostnam" of network%0Ahint: did you mean "hostname"?',
      "::warning file=rules.d/00-base.yaml,line=7,endLine=7,col=17,endColumn=21,title=rule.constant::" +
      'condition is always true (rule "b")',
      "::notice file=rules.d/10.yml,line=1,endLine=1,col=1,endColumn=1,title=rule.ignored-file::" +
      '"10.yml" is not read as a rule file%0Ahint: rule files end in .yaml',
      "",
    ]);
  });

  test("prints nothing when there is nothing", () => expect(formatGithub(CLEAN)).toBe(""));

  test("hostile text ends neither a property nor a command", () => {
    const output = formatGithub(HOSTILE);
    const [line = "", ...rest] = linesOf(output);
    expect(rest).toEqual([""]);
    expect(line).not.toMatch(UNPRINTABLE);
    const properties = /^::error (?<properties>.*?)::(?<message>.*)$/.exec(line)?.groups?.["properties"] ?? "";
    // A range over two lines has no columns.
    expect(properties.split(",").map((pair) => pair.split("=")[0])).toEqual(["file", "line", "endLine", "title"]);
    expect(properties).toContain("file=d%2Cir%3A1%25/a b#?\\u{a}\\u{1b}[31m");
    expect(line).toContain("a%25b:c,d\\u{d}\\u{a}::error::x");
  });
});
