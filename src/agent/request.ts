// `outcall-agent request`: asks the operator for rules, and prints the status of such a request (S004-FR-011, FR-012). The file
// is sent unchanged, and the daemon's errors are printed as they are.
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

/** Prints the status of a request, with the reason of a rejection. */
export async function runRequestStatus(task: Task, id: string): Promise<Result<number, Problem>> {
  const path = `/v1/requests/rules/${encodeURIComponent(id.toWellFormed())}`;
  const state = await askFor(task.daemon, RequestState, { method: "GET", path });
  if (!state.ok) return state;
  const { status, reason } = state.value;
  return printWords(reason === null ? status : `${status}: ${escapeText(reason, WORDS_LENGTH)}`);
}
