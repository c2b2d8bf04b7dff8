// Reports for the format tests: ordinary findings, and findings with texts that try to break the output format.
import type { Finding } from "../../src/core/finding.ts";
import { placeAt } from "../../src/core/span.ts";
import type { LintReport } from "../../src/report/lint-report.ts";

/** A report without findings. */
export const CLEAN: LintReport = {
  files: 1,
  rules: 2,
  findings: [],
  sources: new Map([["rules.d/00-base.yaml", 'version: "1"\n']]),
};

const BASE = `version: "1"
rules:
  - id: a
    condition: network.hostnam == "x"
    action: allow
  - id: b
    condition: "true"
    action: allow
`;

/** One finding of each severity. */
export const ORDINARY: LintReport = {
  files: 3,
  rules: 12,
  findings: [
    {
      code: "rule.unknown-field",
      severity: "error",
      message: 'rule "a": unknown field "hostnam" of network',
      place: { file: "rules.d/00-base.yaml", line: 4, column: 16, endLine: 4, endColumn: 31 },
      rule: "a",
      hint: 'did you mean "hostname"?',
    },
    {
      code: "rule.constant",
      severity: "warning",
      message: "condition is always true",
      place: { file: "rules.d/00-base.yaml", line: 7, column: 17, endLine: 7, endColumn: 21 },
      rule: "b",
    },
    {
      code: "rule.ignored-file",
      severity: "note",
      message: '"10.yml" is not read as a rule file',
      place: placeAt("rules.d/10.yml"),
      hint: "rule files end in .yaml",
    },
  ],
  sources: new Map([["rules.d/00-base.yaml", BASE], ["rules.d/20.yaml", 'version: "1"\n']]),
};

/** Every character that could end a value, a line or a document, or control a terminal. */
export const HOSTILE_TEXT =
  "a%b:c,d\r\n::error::x\u001b[2J\u202e\u0000\u0085\u2028]]>\"'&<tag>\ud800|\u{e0001}\u{10ffff}{0}[x](y)";

const HOSTILE_FILE = `d,ir:1%/a b#?\n\u001b[31m\u202e"<&>.yaml`;

const hostile: Finding = {
  code: "rule.yaml",
  severity: "error",
  message: HOSTILE_TEXT,
  place: { file: HOSTILE_FILE, line: 1, column: 1, endLine: 2, endColumn: 3 },
  rule: HOSTILE_TEXT,
  hint: HOSTILE_TEXT,
};

/** A report in which every text is hostile. */
export const HOSTILE: LintReport = {
  files: 1,
  rules: 1,
  findings: [hostile],
  sources: new Map([[HOSTILE_FILE, `${HOSTILE_TEXT}\n`]]),
};

/** Characters that no output may contain, except for the line breaks of the format. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/u;

/** The lines of an output. */
export function linesOf(output: string): readonly string[] {
  return output.split("\n");
}
