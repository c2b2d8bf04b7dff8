// Formats a report as workflow commands, which GitHub shows as annotations at the lines of a change. Values are escaped for
// the runner's parser, so that text from a file can neither end a command nor begin another one.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
import type { Finding, Severity } from "../core/finding.ts";
import { escapeWhole } from "../core/quote.ts";
import { plainMessageAndHint } from "./plain-message.ts";
import type { LintReport } from "./lint-report.ts";

/** Formats the report as one command a line; empty if there are no findings. */
export function formatGithub(report: LintReport): string {
  return report.findings.map((finding) => `${formatCommand(finding)}\n`).join("");
}

const COMMANDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "notice" };

function formatCommand(finding: Finding): string {
  const { file, line, column, endLine, endColumn } = finding.place;
  // GitHub refuses columns for a range of several lines.
  const columns = line === endLine ? { col: column, endColumn } : {};
  const properties = { file: escapeWhole(file), line, endLine, ...columns, title: finding.code };
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${COMMANDS[finding.severity]} ${pairs.join(",")}::${escapeData(plainMessageAndHint(finding))}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
