// What loading rule files finds, one line for each finding.
import type { Finding } from "../../../src/core/finding.ts";
import { loadRuleFiles, type LoadTextsOptions } from "../../../src/rule/load-rules.ts";

/** A finding in one line: `a.yaml:1:2-1:3 error rule.code [rule] message | hint`. */
export function line({ place, severity, code, rule, message, hint }: Finding): string {
  const { file, line, column, endLine, endColumn } = place;
  const at = `${file}:${line}:${column}-${endLine}:${endColumn}`;
  return `${at} ${severity} ${code}${rule === undefined ? "" : ` [${rule}]`} ${message}${
    hint === undefined ? "" : ` | ${hint}`
  }`;
}

/** The findings of one file `a.yaml`. */
function findIn(text: string, options: LoadTextsOptions = {}): readonly string[] {
  return loadRuleFiles([{ name: "a.yaml", text }], options).findings.map(line);
}

/** The errors of one file. */
export function errorsIn(text: string, options: LoadTextsOptions = {}): readonly string[] {
  return findIn(text, options).filter((each) => each.includes(" error "));
}

/** The warnings of one file that has no errors, those of one code where it is given. */
export function warningsIn(text: string, code = ""): readonly string[] {
  return findIn(text).filter((each) => each.includes(` warning ${code}`));
}

/** A file of the given rules, the first of them in line 3; each is flow YAML without its braces. */
export function rules(...each: readonly string[]): string {
  return `version: "1"\nrules:\n${each.map((rule) => `  - {${rule}}\n`).join("")}`;
}
