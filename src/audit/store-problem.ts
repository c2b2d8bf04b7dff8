// What the system or the database says -> a problem of the log's files.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";

/** The problem of something that failed, with the reason in quotes. */
export function storeProblem(what: string, cause: unknown): Problem {
  return problem("audit.store", `${what}: ${quote(reasonOf(cause))}`, { cause });
}

/** What was thrown, as a text. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Whether the system says that there is no such file. */
export function isMissing(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}
