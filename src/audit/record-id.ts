// Number of a record -> the id under which agents see it, and back. The id is a keyed digest, so it does not reveal the number
// or the order of records.
import { createHmac } from "node:crypto";
import type { Problem } from "../core/problem.ts";
import { problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readKeyBytes } from "./key-file.ts";
import { openRecords } from "./open-log.ts";
import { ruleIdKeyPath } from "./paths.ts";
import { storeProblem } from "./store-problem.ts";

/** The form of a record's id. */
const RECORD_ID = /^rec-[0-9a-f]{12}$/;

/** Whether a text has the form of a record's id. */
export function isRecordId(text: string): boolean {
  return RECORD_ID.test(text);
}

/** The id of a record: `rec-` and 12 hex characters. `key` is the state directory's key of rule ids. */
export function recordId(key: Uint8Array, seq: number): string {
  // No id of a rule has a line break, so that no record and no rule share a digest.
  return `rec-${createHmac("sha256", key).update(`record\n${seq}`).digest("hex").slice(0, 12)}`;
}

/**
 * The number of the record with an id, or null if the log of the state directory has none. An id cannot be decoded, so the
 * ids of the denials are computed and compared, the newest first; a million take some seconds.
 */
export function findRecordNumber(stateDir: string, id: string): Result<number | null, Problem> {
  if (!isRecordId(id)) return ok(null);
  const path = ruleIdKeyPath(stateDir);
  const key = readKeyBytes(path);
  if (!key.ok) return key;
  if (key.value === null) return err(problem("audit.store", `the key ${quote(path)} is missing`));
  const db = openRecords(stateDir);
  if (!db.ok) return db;
  try {
    const denials = "SELECT seq FROM record WHERE kind = 'decision' AND decision = 'block' ORDER BY seq DESC";
    for (const { seq } of db.value.prepare(denials).iterate()) {
      if (recordId(key.value, Number(seq)) === id) return ok(Number(seq));
    }
    return ok(null);
  } catch (cause) {
    return err(storeProblem("cannot read the decision log", cause));
  } finally {
    db.value.close();
  }
}
