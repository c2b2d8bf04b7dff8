// outcall-agent request: ask the operator for rules, and see what became of it (S004-FR-011, FR-012). Nothing is judged here:
// the file goes to the daemon as it is, and so do the daemon's words to whoever asked.
import { closeSync, openSync, readSync } from "node:fs";
import { decodeAnswer } from "../client/answer.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText, quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { BODY_LIMIT_BYTES } from "../wire/agent-api.ts";
import { RequestState, type RuleRequestBody } from "../wire/request-agent.ts";
import { checkIn, type Daemon, describeRefused, describeUnreachable, type Question } from "./ask.ts";
import { print } from "./report.ts";
import type { Task } from "./task.ts";

/** Statuses that say something of the request itself, and not of whether it can be made. */
const ABOUT_THE_REQUEST: ReadonlySet<number> = new Set([400, 404, 413, 422]);

/** How many code points of the daemon's words are shown: an analysis quotes more than once. */
const WORDS_LENGTH = 4_096;

/** Submits a rule file and prints the request's id. */
export async function runRequestSubmit(task: Task, file: string): Promise<Result<number, Problem>> {
  const text = readRuleFile(file);
  if (!text.ok) return text;
  const body: RuleRequestBody = { rule_file: text.value };
  const state = await ask(task.daemon, { method: "POST", path: "/v1/requests/rules", body });
  return state.ok ? printed(state.value.id) : state;
}

/** Prints how a request stands, with the reason where it was rejected for one. */
export async function runRequestStatus(task: Task, id: string): Promise<Result<number, Problem>> {
  const path = `/v1/requests/rules/${encodeURIComponent(id.toWellFormed())}`;
  const state = await ask(task.daemon, { method: "GET", path });
  if (!state.ok) return state;
  const { status, reason } = state.value;
  return printed(reason === null ? status : `${status}: ${escapeText(reason, WORDS_LENGTH)}`);
}

function ask(daemon: Daemon, question: Question): Promise<Result<RequestState, Problem>> {
  return checkIn(daemon, async (session) => {
    const answer = await session.send(question);
    if (!answer.ok) return answer;
    const reply = decodeAnswer(RequestState, answer.value);
    if (!reply.ok) return err(describeUnreachable(daemon, reply.error));
    if (reply.value.kind === "data") return ok(reply.value.data);
    const { status, error } = reply.value;
    if (!ABOUT_THE_REQUEST.has(status)) return err(describeRefused(reply.value));
    return err(problem("agent.request", escapeText(error, WORDS_LENGTH)));
  });
}

function printed(text: string): Result<number, Problem> {
  const done = print(text);
  return done.ok ? ok(0) : done;
}

function readRuleFile(file: string): Result<string, Problem> {
  const name = file === "-" ? "standard input" : quote(file);
  let bytes: Uint8Array;
  try {
    bytes = file === "-" ? readBounded(0) : readFile(file);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? `: ${String(cause.code)}` : "";
    return err(problem("agent.request", `cannot read ${name}${code}`, { cause }));
  }
  if (bytes.length > BODY_LIMIT_BYTES) {
    return err(problem("agent.request", `${name} is over ${BODY_LIMIT_BYTES} bytes`));
  }
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    return err(problem("agent.request", `${name} is not UTF-8`, { cause }));
  }
}

function readFile(path: string): Uint8Array {
  const fd = openSync(path, "r");
  try {
    return readBounded(fd);
  } finally {
    closeSync(fd);
  }
}

// One byte over the limit is enough to know; a device that never ends is not read to its end.
function readBounded(fd: number): Uint8Array {
  const buffer = new Uint8Array(BODY_LIMIT_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}
