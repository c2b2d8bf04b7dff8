// `outcall-agent envelope write`: sends facts to the daemon and prints the outcome of their verification. The text is sent
// unchanged; the daemon checks whether it is an envelope.
import type { Problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import type { Result } from "../core/result.ts";
import { type EnvelopeBody, EnvelopeSummary } from "../wire/envelope-api.ts";
import { askFor, printWords, WORDS_LENGTH } from "./ask-for.ts";
import { readText } from "./read-text.ts";
import type { Task } from "./task.ts";

/** Writes the envelope of a file and prints the summary. */
export async function runEnvelopeWrite(task: Task, file: string): Promise<Result<number, Problem>> {
  const text = readText(file);
  if (!text.ok) return text;
  const body: EnvelopeBody = { facts: text.value };
  const summary = await askFor(task.daemon, EnvelopeSummary, { method: "POST", path: "/v1/envelopes", body });
  return summary.ok ? printWords(formatSummary(summary.value)) : summary;
}

/** Formats the summary: the outcome, the totals, and one line for each of the operator's notes on failed predicates. */
function formatSummary({ outcome, passed, failed, skipped, total, failures }: EnvelopeSummary): string {
  return [
    `outcome: ${outcome}`,
    `${passed} passed, ${failed} failed, ${skipped} skipped, ${total} in all`,
    ...failures.map((note) => `failed: ${escapeText(note, WORDS_LENGTH)}`),
  ].join("\n");
}
