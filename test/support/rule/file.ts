// Rule files for tests, with their findings as one line each.
import type { Finding } from "../../../src/core/finding.ts";
import { OPERATOR_LIMITS, parseRuleFile } from "../../../src/rule/parse-rule-file.ts";

/** A finding in one line: `line:column-endLine:endColumn code message | hint`. */
export function format({ place, code, message, hint }: Finding): string {
  const { line, column, endLine, endColumn } = place;
  return `${line}:${column}-${endLine}:${endColumn} ${code} ${message}${hint === undefined ? "" : ` | ${hint}`}`;
}

/** The findings of an operator's file. */
export function findingsOf(text: string): readonly string[] {
  return parseRuleFile("a.yaml", text, OPERATOR_LIMITS).findings.map(format);
}

/** A file with one rule; its members start in line 3, column 5. */
export function rule(...members: readonly string[]): string {
  return `version: "1"\nrules:\n  - ${members.join("\n    ")}\n`;
}

/** The members of an allow rule. */
export const ALLOW = ["id: r", "condition: 'true'", "action: allow"];
/** The members of a block rule. */
export const BLOCK = ["id: r", "condition: 'true'", "action: block"];
/** The members of an enrich rule without its hook. */
export const ENRICH = ["id: r", "condition: 'true'", "action: enrich"];
