// Checks the chain from a given place: every record fits its hash and follows the record before it, a marked checkpoint
// replaces removed records, and the record that the head names exists.
import type { DatabaseSync } from "node:sqlite";
import { err, ok, type Result } from "../core/result.ts";
import { isOwnCheckpoint } from "./checkpoint.ts";
import { checkpointOf, countIn, rowOf } from "./database.ts";
import type { LogKey } from "./key-file.ts";
import { type ChainedRow, GENESIS, hashRow, type Link } from "./row.ts";

/** The key and the head that a check of the chain needs. */
export type ChainFacts = { readonly key: LogKey; readonly head: Link };

/** A break, with the number of the record at which it is found. */
export type Break = { readonly seq: number; readonly message: string };

/** The result of a walk: the number of records and of removed records. */
export type Walked = { readonly end: Link; readonly records: number; readonly removed: number };

/** Walks the whole chain, or the part after a place that is known to be good. Reports progress after each thousand records. */
export function walkChain(
  db: DatabaseSync,
  { key, head }: ChainFacts,
  { from = GENESIS, onProgress }: { readonly from?: Link; readonly onProgress?: (records: number) => void } = {},
): Result<Walked, Break> {
  const bridge = db.prepare("SELECT * FROM checkpoint WHERE first = ?");
  let end = from;
  let records = 0;
  let removed = 0;
  // Follows the checkpoints that begin after `end`. The log writes one at most; more would be forged.
  const cross = (): Result<null, Break> => {
    for (let raw = bridge.get(end.seq + 1); raw !== undefined; raw = bridge.get(end.seq + 1)) {
      const first = end.seq + 1;
      const checkpoint = checkpointOf(raw);
      const isWhole = checkpoint !== null && isOwnCheckpoint(checkpoint, key) && checkpoint.last >= first;
      if (!isWhole) return err({ seq: first, message: `checkpoint from record ${first} on is changed` });
      if (checkpoint.previous !== end.hash) return err(broken(first, "is not the one that the checkpoint follows"));
      if (head.seq >= first && head.seq < checkpoint.last) {
        return err(broken(head.seq, "is removed, but the head file names it"));
      }
      removed += checkpoint.last - checkpoint.first + 1;
      end = { seq: checkpoint.last, hash: checkpoint.hash };
    }
    return ok(null);
  };
  for (const raw of db.prepare("SELECT * FROM record WHERE seq > ? ORDER BY seq").iterate(from.seq)) {
    const crossed = cross();
    if (!crossed.ok) return crossed;
    const row = rowOf(raw);
    if (row === null) return err(broken(end.seq + 1, "is changed"));
    const fault = faultOf(row, end, key);
    if (fault !== null) return err(fault);
    end = { seq: row.seq, hash: row.hash };
    if (row.seq === head.seq && row.hash !== head.hash) return err(broken(row.seq, "is not the one in the head file"));
    records++;
    if (records % 1_000 === 0) onProgress?.(records);
  }
  const crossed = cross();
  if (!crossed.ok) return crossed;
  if (end.seq < head.seq) {
    return err(broken(end.seq + 1, `is missing: the log ends before it, and the head file says ${head.seq}`));
  }
  if (end.seq === head.seq && end.hash !== head.hash) return err(broken(end.seq, "is not the one in the head file"));
  return ok({ end, records, removed });
}

/** The end of the chain if the records reach the head and continue from it correctly, or else the break. */
export function checkEnd(db: DatabaseSync, facts: ChainFacts): Result<Link, string> {
  const { head } = facts;
  const at = db.prepare("SELECT * FROM record WHERE seq = ?").get(head.seq);
  const row = at === undefined ? null : rowOf(at);
  const bridge = db.prepare("SELECT * FROM checkpoint WHERE last >= ? ORDER BY last LIMIT 1").get(head.seq);
  const checkpoint = bridge === undefined ? null : checkpointOf(bridge);
  const isRemoved = at === undefined && checkpoint !== null && checkpoint.last === head.seq;
  const hash = head.seq === 0 ? GENESIS.hash : isRemoved ? checkpoint.hash : row?.hash;
  if (hash === undefined) {
    const last = countIn(db.prepare("SELECT max(seq) AS last FROM record").get(), "last");
    return err(`record ${head.seq} is missing, which the head file names; the last one is ${last}`);
  }
  if (hash !== head.hash) return err(`record ${head.seq} is not the one in the head file`);
  const walked = walkChain(db, facts, { from: head });
  return walked.ok ? ok(walked.value.end) : err(walked.error.message);
}

function faultOf(row: ChainedRow, before: Link, key: LogKey): Break | null {
  const wanted = before.seq + 1;
  if (row.seq > wanted) return broken(wanted, "is missing");
  if (row.hash !== hashRow(row, row, key)) return broken(row.seq, "is changed");
  return row.previous === before.hash ? null : broken(row.seq, "does not follow the record before it");
}

function broken(seq: number, what: string): Break {
  return { seq, message: `record ${seq} ${what}` };
}
