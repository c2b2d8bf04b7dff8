// Answer -> its data with a type, or the daemon's error.
import { isProblemCode, type Problem, problem, type ProblemCode } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { ReceivedFailure, SuccessAnswer } from "../wire/answer.ts";
import { decode, type Decoded, type Schema } from "../wire/decode.ts";
import { type Answer, badAnswer } from "./call.ts";

/** The daemon's reply: data, or an error with the daemon's unescaped text. */
export type Reply<T> =
  | { readonly kind: "data"; readonly status: number; readonly data: T }
  | {
    readonly kind: "refused";
    readonly status: number;
    readonly error: string;
    /** The code of the daemon's error, if this program knows it. */
    readonly code?: ProblemCode;
    /** The `Retry-After` header, if it is in whole seconds. */
    readonly retryAfterSeconds?: number;
  };

/** Most code points of a daemon's error that are shown: enough for the longest error, which quotes a target. */
const REFUSAL_LENGTH = 1024;

/** At most five digits, about a day. */
const RETRY_AFTER = /^[1-9][0-9]{0,4}$/;

/** Reads the envelope: data only with a status of success, an error only with a status of failure. */
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

/** The daemon's error as a problem, with the daemon's code if this program knows it. */
export function describeRefusal(refused: Extract<Reply<never>, { kind: "refused" }>): Problem {
  return problem(refused.code ?? "client.refused", escapeText(refused.error, REFUSAL_LENGTH));
}

function readSeconds(text: string | undefined): number | undefined {
  return text !== undefined && RETRY_AFTER.test(text) ? Number(text) : undefined;
}
