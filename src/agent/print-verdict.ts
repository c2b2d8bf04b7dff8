// What the shim says: each message is one line, and nothing goes to standard output but what was asked for.
import { Buffer } from "node:buffer";
import { writeSync } from "node:fs";
import { meaningOf, type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Verdict } from "../core/verdict.ts";
import type { CheckOutput } from "../wire/agent-output.ts";
import type { Judgement } from "./ask-verdict.ts";
import { AGENT_PROGRAM } from "./program.ts";

/** How many code points of a reason are shown: a rule's own text, or the daemon's around a target of 200. */
const REASON_LENGTH = 4096;

/** The verdict as text. */
export function formatVerdict(verdict: Verdict): string {
  if (verdict.allowed) return "allowed";
  return `denied: ${escapeText(verdict.reason ?? "no reason given", REASON_LENGTH)}`;
}

/** The verdict as one line of JSON. */
export function formatVerdictJson({ allowed, matched_rule, reason }: Verdict): string {
  return formatLine({ allowed, matched_rule, reason });
}

/** What `check --json` prints. */
export function formatCheckJson({ allowed, matched_rule, reason }: Verdict): string {
  const output: CheckOutput = { version: 1, allowed, matched_rule, reason };
  return formatLine(output);
}

// JSON in printable characters alone.
function formatLine(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNPRINTABLE, (character) => {
    const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

// JSON escapes the first 32 controls itself; the others, bidi marks and separators are as bad on a terminal.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** Writes what was asked for to standard output. */
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

/** Writes a problem to standard error and gives its exit code. */
export function reportProblem({ code, message, hint }: Problem): number {
  complain(`${AGENT_PROGRAM.name}: ${message}${hint === undefined ? "" : ` (${hint})`}`);
  return meaningOf(code).exit;
}

// A line that standard error does not take is lost, and there is nowhere else to say so: the exit code still says it all.
function complain(line: string): void {
  write(2, `${line}\n`);
}

// Synchronous, because the process ends or is replaced right after; the streams of node:process might still hold the text.
function write(descriptor: 1 | 2, text: string): unknown {
  const bytes = Buffer.from(text);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written);
    return undefined;
  } catch (error) {
    return error;
  }
}
