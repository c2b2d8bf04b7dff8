// An error of the system or the database -> a problem with the log's files.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { messageOf } from "../core/thrown.ts";

/** The problem of a failed operation, with the reason in quotes. */
export function storeProblem(what: string, cause: unknown): Problem {
  return problem("audit.store", `${what}: ${quote(messageOf(cause))}`, { cause });
}
