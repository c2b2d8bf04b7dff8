// The one answer to a peer whose container cannot be looked up now. What went wrong stands beside the message, for the
// log alone, so that the answer tells a container nothing about the host (S004-FR-010).
import { type Problem, problem } from "../core/problem.ts";
import { escapeText } from "../core/quote.ts";

/** What a peer reads that may try again. */
export const LOOKUP_UNAVAILABLE = "container look-up is not available";

/** Why a look-up failed. */
export class UnavailableCause {
  readonly detail: string;
  readonly cause: unknown;

  /** The detail is one line for the operator. */
  constructor(detail: string, cause: unknown) {
    this.detail = detail;
    this.cause = cause;
  }
}

/** The failure of a look-up; `detail` and `cause` go to the log. */
export function lookupUnavailable(detail: string, cause?: unknown): Problem {
  return problem("container.unavailable", LOOKUP_UNAVAILABLE, { cause: new UnavailableCause(detail, cause) });
}

/** One line for the operator about why a look-up failed. */
export function unavailableDetail({ message, cause }: Problem): string {
  if (!(cause instanceof UnavailableCause)) return message;
  return cause.cause instanceof Error ? `${cause.detail}: ${escapeText(cause.cause.message)}` : cause.detail;
}
