// LintReport -> workflow commands, which GitHub shows as annotations at the lines of a change. Values are escaped as its
// runner takes them apart, so that no text of a file can end a command or begin another one.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
import type { Finding, Severity } from "../core/finding.ts";
import { escapeWhole } from "../core/quote.ts";
import { plainMessageAndHint } from "./plain-message.ts";
import type { LintReport } from "./lint-report.ts";

/** The report as one command a line; nothing when there is no finding. */
export function formatGithub(report: LintReport): string {
  return report.findings.map((finding) => `${formatCommand(finding)}\n`).join("");
}

const COMMANDS: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", note: "notice" };

function formatCommand(finding: Finding): string {
  const { file, line, column, endLine, endColumn } = finding.place;
  // Columns of a range over several lines are refused by the service behind the annotations.
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
