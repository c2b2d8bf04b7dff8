// outcall-agent envelope write: hands facts to the daemon, and says what became of them (rulespec.md 5). The facts go as they
// are; whether they are an envelope at all is for the daemon to say.
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

/** The summary in lines: the outcome, the totals, and a line for each thing that the operator says of a failure. */
function formatSummary({ outcome, passed, failed, skipped, total, failures }: EnvelopeSummary): string {
  return [
    `outcome: ${outcome}`,
    `${passed} passed, ${failed} failed, ${skipped} skipped, ${total} in all`,
    ...failures.map((note) => `failed: ${escapeText(note, WORDS_LENGTH)}`),
  ].join("\n");
}
