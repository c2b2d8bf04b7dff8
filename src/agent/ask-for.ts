// A question that is not about an action -> its data, in one check-in; what the daemon says of the question itself is said on.
import { decodeAnswer } from "../client/read-answer.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Decoded, Schema } from "../wire/decode.ts";
import { checkIn, type Daemon, describeRefused, describeUnreachable, type Question } from "./ask-verdict.ts";
import { print } from "./print-verdict.ts";

/** Statuses that say something of the question itself, and not of whether it can be asked. */
const ABOUT_THE_QUESTION: ReadonlySet<number> = new Set([400, 404, 413, 422]);

/** How many code points of the daemon's words are shown: an analysis quotes more than once. */
export const WORDS_LENGTH = 4_096;

/** Checks in, asks, and gives the data. */
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

/** Prints the words that were asked for. */
export function printWords(text: string): Result<number, Problem> {
  const done = print(text);
  return done.ok ? ok(0) : done;
}
