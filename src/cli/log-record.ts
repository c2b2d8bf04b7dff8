// A stored record -> its body with types, and the line of JSON that `outcall log --json` prints.
import type { ChainedRow } from "../audit/row.ts";
import { formatJson, isJsonObject, type JsonObject } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { messageOf } from "../core/thrown.ts";

/** Runs one read of the database, and returns what it throws as a problem. */
export function attempt<T>(read: () => T): Result<T, Problem> {
  try {
    return ok(read());
  } catch (cause) {
    const reason = messageOf(cause);
    return err(problem("audit.store", `cannot read the decision log: ${quote(reason)}`, { cause }));
  }
}

/** The body of a record; a body that the log cannot have written is a problem. */
export function bodyOf({ seq, body }: ChainedRow): Result<JsonObject, Problem> {
  const changed = problem("audit.broken", `record ${seq} is changed`, { hint: "outcall log verify checks all of it" });
  try {
    const parsed: unknown = JSON.parse(body);
    return isJsonObject(parsed) ? ok(parsed) : err(changed);
  } catch (cause) {
    return err({ ...changed, cause });
  }
}

/** One line of JSON for a record (`outcall schema log`). */
export function formatJsonRecord(row: ChainedRow, body: JsonObject): string {
  const { seq, at, kind, audit, container, name, decision, rule, previous, hash } = row;
  const decided = kind === "decision" || decision !== null ? { decision, rule } : {};
  const time = new Date(at).toISOString();
  const whose = { container, name };
  return `${formatJson({ version: 1, seq, time, kind, audit, ...whose, ...decided, ...body, previous, hash })}\n`;
}
