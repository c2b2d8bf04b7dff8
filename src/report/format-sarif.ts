// Formats a report as SARIF 2.1.0, for code scanning. https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
import { isAbsolute } from "node:path";
import type { Finding } from "../core/finding.ts";
import { formatJson } from "../core/json.ts";
import { meaningOf, type ProblemCode, PROBLEMS } from "../core/problem.ts";
import { VERSION } from "../core/version.ts";
import { plainMessageAndHint } from "./plain-message.ts";
import type { LintReport } from "./lint-report.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** Formats the report as a SARIF log with one run. */
export function formatSarif(report: LintReport): string {
  const codes = codesOf(report);
  const log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [{
      tool: {
        driver: {
          name: "outcall",
          semanticVersion: VERSION,
          rules: codes.map((code) => ({ id: code, shortDescription: { text: meaningOf(code).sentence } })),
        },
      },
      columnKind: "utf16CodeUnits",
      results: report.findings.map((finding) => formatResult(finding, codes.indexOf(finding.code))),
    }],
  };
  return `${formatJson(log, 2)}\n`;
}

// All codes that a file can have, so that a consumer knows each code before its first result.
function codesOf(report: LintReport): readonly ProblemCode[] {
  const used = new Set<string>(report.findings.map((finding) => finding.code));
  return KNOWN_CODES.filter((code) => isFindingCode(code) || used.has(code));
}

/** Whether an analysis of files can report the code. */
export function isFindingCode(code: ProblemCode): boolean {
  return /^rule(spec)?\./.test(code) && !NO_FINDINGS.has(code);
}

/** Codes of rules and rulespecs that a daemon or an evaluation reports, never an analysis of files. */
const NO_FINDINGS: ReadonlySet<ProblemCode> = new Set([
  "rule.not-found",
  "rulespec.unverified",
  "rulespec.store",
  "rulespec.not-found",
  "rulespec.engine-mismatch",
]);

const KNOWN_CODES = Object.keys(PROBLEMS).filter(isCode);

function isCode(text: string): text is ProblemCode {
  return Object.hasOwn(PROBLEMS, text);
}

function formatResult(finding: Finding, ruleIndex: number) {
  const { file, line, column, endLine, endColumn } = finding.place;
  const logical = finding.rule === undefined ? {} : { logicalLocations: [{ name: finding.rule, kind: "rule" }] };
  return {
    ruleId: finding.code,
    ruleIndex,
    level: finding.severity,
    message: { text: plainMessageAndHint(finding) },
    locations: [{
      physicalLocation: {
        artifactLocation: { uri: uriOf(file) },
        region: { startLine: line, startColumn: column, endLine, endColumn },
      },
      ...logical,
    }],
  };
}

// Each part is encoded by itself, so that a file name never reads as a scheme, a query or an escape.
function uriOf(file: string): string {
  const parts = file.toWellFormed().split("/").filter((part, index) => index === 0 || (part !== "" && part !== "."));
  const path = parts.filter((part) => part !== ".").map(encodeURIComponent).join("/");
  return isAbsolute(file) ? `file://${path}` : path === "" ? "." : path;
}
