import { describe, expect, test } from "bun:test";
import { formatLintJson } from "../../src/report/format-json.ts";
import { decode } from "../../src/wire/decode.ts";
import { LintOutput } from "../../src/wire/lint-report.ts";
import { CLEAN, HOSTILE, HOSTILE_TEXT, linesOf, ORDINARY, UNPRINTABLE } from "./reports.ts";

describe("formatLintJson", () => {
  test("has every member, null where there is none", () => {
    expect(JSON.parse(formatLintJson(ORDINARY))).toEqual({
      version: 1,
      files: 3,
      rules: 12,
      findings: [
        {
          code: "rule.unknown-field",
          severity: "error",
          file: "rules.d/00-base.yaml",
          line: 4,
          column: 16,
          endLine: 4,
          endColumn: 31,
          rule: "a",
          message: 'rule "a": unknown field "hostnam" of network',
          hint: 'did you mean "hostname"?',
        },
        {
          code: "rule.constant",
          severity: "warning",
          file: "rules.d/00-base.yaml",
          line: 7,
          column: 17,
          endLine: 7,
          endColumn: 21,
          rule: "b",
          message: "condition is always true",
          hint: null,
        },
        {
          code: "rule.ignored-file",
          severity: "note",
          file: "rules.d/10.yml",
          line: 1,
          column: 1,
          endLine: 1,
          endColumn: 1,
          rule: null,
          message: '"10.yml" is not read as a rule file',
          hint: "rule files end in .yaml",
        },
      ],
    });
  });

  test("fits its published schema", () => {
    for (const report of [CLEAN, ORDINARY, HOSTILE]) {
      expect(decode(LintOutput, JSON.parse(formatLintJson(report))).ok).toBe(true);
    }
  });

  test("is one printable line that gives hostile text back as it was", () => {
    const [line = "", rest, ...more] = linesOf(formatLintJson(HOSTILE));
    expect(line).not.toMatch(UNPRINTABLE);
    expect([rest, more]).toEqual(["", []]);
    expect(JSON.parse(line).findings[0].message).toBe(HOSTILE_TEXT);
  });
});
