// Answer -> its data with a type, or the daemon's refusal: behind this step there is no `unknown` left.
import { isProblemCode, type Problem, problem, type ProblemCode } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { ReceivedFailure, SuccessAnswer } from "../wire/answer.ts";
import { decode, type Decoded, type Schema } from "../wire/decode.ts";
import { type Answer, badAnswer } from "./call.ts";

/** What the daemon said: data, or that it refuses and why; `error` is its text as it came. */
export type Reply<T> =
  | { readonly kind: "data"; readonly status: number; readonly data: T }
  | {
    readonly kind: "refused";
    readonly status: number;
    readonly error: string;
    /** The code of the daemon's answer, where the daemon sends one that this program knows. */
    readonly code?: ProblemCode;
    /** What `Retry-After` says, where it says whole seconds. */
    readonly retryAfterSeconds?: number;
  };

/** How many code points of a daemon's error are shown: room for its longest, a quoted target and its words around it. */
const REFUSAL_LENGTH = 1024;

/** Seconds of a day at most: more digits are no time anybody waits for. */
const RETRY_AFTER = /^[1-9][0-9]{0,4}$/;

/** Reads the envelope: data only under a status of success, a refusal only under one of failure. */
export function decodeAnswer<T extends Schema>(data: T, answer: Answer): Result<Reply<Decoded<T>>, Problem> {
  const { status, body } = answer;
  if (status >= 200 && status < 300) {
    const envelope = decode(SuccessAnswer, body);
    if (!envelope.ok) return err(badAnswer(envelope.error.message));
    const decoded = decode(data, envelope.value.data);
    if (!decoded.ok) return err(badAnswer(`data: ${decoded.error.message}`));
    return ok({ kind: "data", status, data: decoded.value });
  }
  if (status < 400) return err(badAnswer(`status ${status}`));
  const decoded = decode(ReceivedFailure, body);
  if (!decoded.ok) return err(badAnswer(`status ${status}, ${decoded.error.message}`));
  const seconds = readSeconds(answer.retryAfter);
  const { error, code } = decoded.value;
  const known = code !== undefined && isProblemCode(code) ? { code } : {};
  const wait = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  return ok({ kind: "refused", status, error, ...known, ...wait });
}

/** The refusal as a problem, under the daemon's own code where the program knows it. */
export function describeRefusal(refused: Extract<Reply<never>, { kind: "refused" }>): Problem {
  return problem(refused.code ?? "client.refused", escapeText(refused.error, REFUSAL_LENGTH));
}

function readSeconds(text: string | undefined): number | undefined {
  return text !== undefined && RETRY_AFTER.test(text) ? Number(text) : undefined;
}
