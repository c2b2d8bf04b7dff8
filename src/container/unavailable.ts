// The answer to a peer whose container cannot be looked up now. The reason is kept in the problem's cause and goes only to
// the log, so that the answer tells a container nothing about the host (S004-FR-010).
import { type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";

/** The message for the peer, which may try again. */
export const LOOKUP_UNAVAILABLE = "container look-up is not available";

/** The reason why a look-up failed. */
export class UnavailableCause {
  readonly detail: string;
  readonly cause: unknown;

  /** Takes one line for the operator and the error behind it. */
  constructor(detail: string, cause: unknown) {
    this.detail = detail;
    this.cause = cause;
  }
}

/** Makes the problem of a failed look-up; `detail` and `cause` go to the log. */
export function lookupUnavailable(detail: string, cause?: unknown): Problem {
  return problem("container.unavailable", LOOKUP_UNAVAILABLE, { cause: new UnavailableCause(detail, cause) });
}

/** Describes in one line for the operator why a look-up failed. */
export function unavailableDetail({ message, cause }: Problem): string {
  if (!(cause instanceof UnavailableCause)) return message;
  return cause.cause instanceof Error ? `${cause.detail}: ${escapeText(cause.cause.message)}` : cause.detail;
}
