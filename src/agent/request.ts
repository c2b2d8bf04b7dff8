// outcall-agent request: ask the operator for rules, and see what became of it (S004-FR-011, FR-012). Nothing is judged here:
// the file goes to the daemon as it is, and so do the daemon's words to whoever asked.
import type { Problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import type { Result } from "../core/result.ts";
import { RequestState, type RuleRequestBody } from "../wire/request-agent.ts";
import { askFor, printWords, WORDS_LENGTH } from "./ask-for.ts";
import { readText } from "./read-text.ts";
import type { Task } from "./task.ts";

/** Submits a rule file and prints the request's id. */
export async function runRequestSubmit(task: Task, file: string): Promise<Result<number, Problem>> {
  const text = readText(file);
  if (!text.ok) return text;
  const body: RuleRequestBody = { rule_file: text.value };
  const state = await askFor(task.daemon, RequestState, { method: "POST", path: "/v1/requests/rules", body });
  return state.ok ? printWords(state.value.id) : state;
}

/** Prints how a request stands, with the reason where it was rejected for one. */
export async function runRequestStatus(task: Task, id: string): Promise<Result<number, Problem>> {
  const path = `/v1/requests/rules/${encodeURIComponent(id.toWellFormed())}`;
  const state = await askFor(task.daemon, RequestState, { method: "GET", path });
  if (!state.ok) return state;
  const { status, reason } = state.value;
  return printWords(reason === null ? status : `${status}: ${escapeText(reason, WORDS_LENGTH)}`);
}
