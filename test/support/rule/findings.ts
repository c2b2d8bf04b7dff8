// Loads rule files and prints their findings, one line each.
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

/** The warnings of a file without errors; if a code is given, only those with this code. */
export function warningsIn(text: string, code = ""): readonly string[] {
  return findIn(text).filter((each) => each.includes(` warning ${code}`));
}

/** A file of the given rules, which start in line 3; each rule is flow YAML without its braces. */
export function rules(...each: readonly string[]): string {
  return `version: "1"\nrules:\n${each.map((rule) => `  - {${rule}}\n`).join("")}`;
}
