import { describe, expect, test } from "bun:test";
import { formatText } from "../../src/report/format-text.ts";
import { CLEAN, HOSTILE, linesOf, ORDINARY, UNPRINTABLE } from "./reports.ts";

describe("formatText", () => {
  test("shows place, source line with carets, hint, and a summary", () => {
    expect(formatText(ORDINARY, false)).toBe(
      `rules.d/00-base.yaml:4:16: error[rule.unknown-field]: rule "a": unknown field "hostnam" of network
    4 |     condition: network.hostnam == "x"
      |                ^^^^^^^^^^^^^^^
  hint: did you mean "hostname"?
rules.d/00-base.yaml:7:17: warning[rule.constant]: condition is always true (rule "b")
    7 |     condition: "true"
      |                 ^^^^
rules.d/10.yml:1:1: note[rule.ignored-file]: "10.yml" is not read as a rule file
  hint: rule files end in .yaml
1 error, 1 warning, 1 note in 3 files, 12 rules
`,
    );
  });

  test("says that there is nothing", () => {
    expect(formatText(CLEAN, false)).toBe("no findings in 1 file, 2 rules\n");
  });

  test("is printable, whatever files hold", () => {
    const lines = linesOf(formatText(HOSTILE, false));
    for (const line of lines) expect(line).not.toMatch(UNPRINTABLE);
    // Message, source line, carets, hint and summary, without a trailing empty line.
    expect(lines).toHaveLength(6);
  });

  test("differs in colour by escape sequences alone", () => {
    const colored = formatText(ORDINARY, true);
    expect(colored).toContain("\u001b[1;31merror[rule.unknown-field]\u001b[0m");
    expect(colored.replaceAll(/\u001b\[[0-9;]*m/g, "")).toBe(formatText(ORDINARY, false));
  });

  test("leaves the source out where it is blank or not known", () => {
    const place = { file: "a", line: 2, column: 1, endLine: 2, endColumn: 1 };
    const finding = { code: "rule.schema", severity: "error", message: "m", place } as const;
    for (const sources of [new Map([["a", "x\n \t\ny"]]), new Map([["a", "x"]]), new Map<string, string>()]) {
      const report = { files: 1, rules: 0, findings: [finding], sources };
      expect(formatText(report, false)).toBe("a:2:1: error[rule.schema]: m\n1 error in 1 file, 0 rules\n");
    }
  });

  test("marks a range over several lines up to the end of its first, without its carriage return", () => {
    const place = { file: "a", line: 1, column: 3, endLine: 2, endColumn: 2 };
    const finding = { code: "rule.schema", severity: "error", message: "m", place } as const;
    const report = { files: 1, rules: 0, findings: [finding], sources: new Map([["a", "abcd\r\nef\r\n"]]) };
    expect(linesOf(formatText(report, false)).slice(1, 3)).toEqual(["    1 | abcd", "      |   ^^"]);
  });
});
