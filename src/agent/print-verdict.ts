// The output of the shim: each message is one line, and only requested results go to standard output.
import { formatJson } from "../core/json.ts";
import { Buffer } from "node:buffer";
import { writeSync } from "node:fs";
import { meaningOf, type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Verdict } from "../core/verdict.ts";
import type { CheckOutput } from "../wire/agent-output.ts";
import type { Judgement } from "./ask-verdict.ts";
import { AGENT_PROGRAM } from "./program.ts";

/** How many code points of a reason are shown; a rule's reason and the daemon's own reasons are shorter. */
const REASON_LENGTH = 4096;

/** Formats a verdict as text. */
export function formatVerdict(verdict: Verdict): string {
  if (verdict.allowed) return "allowed";
  return `denied: ${escapeText(verdict.reason ?? "no reason given", REASON_LENGTH)}`;
}

/** Formats a verdict as one line of JSON. */
export function formatVerdictJson({ allowed, matched_rule, reason }: Verdict): string {
  return formatJson({ allowed, matched_rule, reason });
}

/** Formats a verdict as `check --json` prints it. */
export function formatCheckJson({ allowed, matched_rule, reason }: Verdict): string {
  const output: CheckOutput = { version: 1, allowed, matched_rule, reason };
  return formatJson(output);
}

/** Writes a requested result to standard output. */
export function print(text: string): Result<null, Problem> {
  const error = write(1, `${text}\n`);
  if (error === undefined) return ok(null);
  return err(problem("agent.output", "standard output cannot be written", { cause: error }));
}

/** Writes a denial to standard error: as one line of JSON, or as text with a line that says how to ask for a rule. */
export function reportDenial({ verdict, record }: Judgement, asJson: boolean): void {
  if (asJson) return complain(formatVerdictJson(verdict));
  const { name } = AGENT_PROGRAM;
  complain(`${name}: ${formatVerdict(verdict)}`);
  if (record !== null) complain(`${name}: record ${record}; to ask for a rule: ${name} request submit <file>`);
}

/** Writes a problem to standard error and returns its exit code. */
export function reportProblem({ code, message, hint }: Problem): number {
  complain(`${AGENT_PROGRAM.name}: ${message}${hint === undefined ? "" : ` (${hint})`}`);
  return meaningOf(code).exit;
}

// If standard error cannot be written, the line is lost; the exit code still tells the result.
function complain(line: string): void {
  write(2, `${line}\n`);
}

// Synchronous, because the process ends or is replaced right after; the streams of node:process could still hold the text.
function write(descriptor: 1 | 2, text: string): unknown {
  const bytes = Buffer.from(text);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    return undefined;
  } catch (error) {
    return error;
  }
}
