// The files of a log -> whether its chain is whole. This works while a daemon writes the files.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { messageOf } from "../core/thrown.ts";
import { openLog } from "./open-log.ts";
import { type Break, walkChain, type Walked } from "./walk-chain.ts";

/** The result: a whole chain, or the first break. */
export type Verification =
  | { readonly whole: true; readonly walked: Walked }
  | { readonly whole: false; readonly broken: Break };

/** Walks the chain of the log in a state directory. An error says why the log cannot be read at all. */
export function verifyLog(
  stateDir: string,
  onProgress: (records: number) => void = () => {},
): Result<Verification, Problem> {
  const opened = openLog(stateDir);
  if (!opened.ok) return opened;
  const { db, key, head, path } = opened.value;
  try {
    // One consistent view of all tables. The head was read before, so the view is as new or newer.
    db.exec("BEGIN");
    const walked = walkChain(db, { key, head }, { onProgress });
    return ok(walked.ok ? { whole: true, walked: walked.value } : { whole: false, broken: walked.error });
  } catch (cause) {
    const reason = messageOf(cause);
    return err(problem("audit.broken", `cannot read the records of ${quote(path)}: ${quote(reason)}`, { cause }));
  } finally {
    db.close();
  }
}
