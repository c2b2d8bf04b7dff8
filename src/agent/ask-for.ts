// A call that is not about an action -> its data, after a check-in. The daemon's errors about the request are passed on.
import { decodeAnswer } from "../client/read-answer.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Decoded, Schema } from "../wire/decode.ts";
import { checkIn, type Daemon, describeRefused, describeUnreachable, type Question } from "./ask-verdict.ts";
import { print } from "./print-verdict.ts";

/** Statuses whose error is about the request itself, so that it is printed for the user. */
const ABOUT_THE_QUESTION: ReadonlySet<number> = new Set([400, 404, 413, 422]);

/** How many code points of the daemon's error are shown; an error of the analysis has several quotes. */
export const WORDS_LENGTH = 4_096;

/** Checks in, makes the call and returns the data. */
export function askFor<T extends Schema>(
  daemon: Daemon,
  data: T,
  question: Question,
): Promise<Result<Decoded<T>, Problem>> {
  return checkIn(daemon, async (session) => {
    const answer = await session.send(question);
    if (!answer.ok) return answer;
    const reply = decodeAnswer(data, answer.value);
    if (!reply.ok) return err(describeUnreachable(daemon, reply.error));
    if (reply.value.kind === "data") return ok(reply.value.data);
    const { status, error } = reply.value;
    if (!ABOUT_THE_QUESTION.has(status)) return err(describeRefused(reply.value));
    return err(problem("agent.request", escapeText(error, WORDS_LENGTH)));
  });
}

/** Prints a text that the user asked for. */
export function printWords(text: string): Result<number, Problem> {
  const done = print(text);
  return done.ok ? ok(0) : done;
}
