// The refusal of a peer that is in no known container. The pid and the reason are kept in the problem's cause and go only to
// the log, so that the answer tells a container nothing about the host (S004-FR-010).
import { type Problem, problem } from "../core/problem.ts";

/** The message for a refused peer, the same for every reason. */
export const CHECKIN_REJECTED = "check-in rejected: peer does not belong to a known container";

/** The cause of the problem: the reason why a peer was refused. */
type RejectionCause = { readonly pid: number; readonly detail: string };

/** Makes the refusal of a peer; `detail` goes to the log. */
export function rejectPeer(pid: number, detail: string): Problem {
  const cause: RejectionCause = { pid, detail };
  return problem("container.unknown", CHECKIN_REJECTED, { cause });
}
