// Removal of old records, in slices so that no request waits for it. By age, records of all kinds are removed. By size, only
// kinds of which containers can cause any number are removed, from the container that holds most, so that no container can push
// out the records of another.
import { invariant } from "../core/invariant.ts";
import { type Checkpoint, markCheckpoint } from "./checkpoint.ts";
import { checkpointOf, countIn, type Raw, REMOVABLE_KINDS, rowOf } from "./database.ts";
import type { ChainedRow, Row } from "./row.ts";
import type { Store } from "./record-store.ts";

/** How long records are kept, and how many bytes of them. */
export type Limits = { readonly keepMs: number; readonly maxBytes: number };

/** The reason for a removal. */
type RemovalReason = "age" | "size";

/** The records that one slice removed. */
export type Removal = {
  readonly reason: RemovalReason;
  readonly removed: number;
  /** The container, or "" for the host; null where the records were removed for age. */
  readonly holder: string | null;
};

/** Records of one slice, which takes a millisecond or two. */
export const SLICE_RECORDS = 32;

/** Bytes of a record besides its body: hashes, columns, its share of two indexes and of partly filled pages. */
export const ROW_BYTES = 450;

/** Bytes of a checkpoint. */
const CHECKPOINT_BYTES = 280;

/** A log over its size is reduced to this part of it, so that not every new record removes an old one. */
const TARGET = 0.95;

/** The file is made shorter when free pages are at least this share of it. */
const FREE_PART = 0.2;

/** Counts what the log holds, and removes records that are too old or too many. */
export class Retention {
  readonly #store: Store;
  readonly #limits: Limits;
  /** Bytes that can be removed for size, by container; the host's under "". */
  readonly #held = new Map<string, number>();
  #bytes = 0;
  #checkpoints = 0;
  #isShrinking = false;

  /** Counts the records. Throws the database's error. */
  constructor(store: Store, limits: Limits) {
    this.#store = store;
    this.#limits = limits;
    const sums = store.durable.db.prepare(
      "SELECT container, kind, count(*) AS n, sum(length(body)) AS b FROM record GROUP BY 1, 2",
    );
    for (const sum of sums.iterate()) {
      const { container, kind } = sum;
      this.#add(typeof container === "string" ? container : null, String(kind), bytesOf(sum));
    }
    this.#checkpoints = countIn(store.durable.db.prepare("SELECT count(*) AS n FROM checkpoint").get(), "n");
  }

  /** An estimate of the bytes of all records. */
  get sizeBytes(): number {
    return this.#bytes + this.#checkpoints * CHECKPOINT_BYTES;
  }

  /** Whether the log is over its size. */
  get isOverSize(): boolean {
    return this.sizeBytes > this.#limits.maxBytes && this.#held.size > 0;
  }

  /** Counts rows that were appended. */
  note(rows: readonly Row[]): void {
    for (const { container, kind, body } of rows) this.#add(container, kind, body.length + ROW_BYTES);
  }

  /** Removes a slice of records that are too old, or else too many; null when there are none. Throws the database's error. */
  removeSlice(nowMs: number): Removal | null {
    return this.#removeOld(nowMs - this.#limits.keepMs) ?? this.#removeMost();
  }

  #removeOld(beforeMs: number): Removal | null {
    const query = "SELECT * FROM record WHERE at < ? ORDER BY at, seq LIMIT ?";
    const removed = this.#remove(this.#store.durable.db.prepare(query).all(beforeMs, SLICE_RECORDS));
    return removed === 0 ? null : { reason: "age", removed, holder: null };
  }

  #removeMost(): Removal | null {
    const { maxBytes } = this.#limits;
    if (this.sizeBytes > maxBytes) this.#isShrinking = true;
    const excess = this.sizeBytes - maxBytes * TARGET;
    const [holder, bytes] = [...this.#held].reduce((most, each) => each[1] > most[1] ? each : most, ["", 0] as const);
    this.#isShrinking &&= excess > 0 && bytes > 0;
    if (!this.#isShrinking) return null;
    const kinds = REMOVABLE_KINDS.map((kind) => `'${kind}'`).join(", ");
    const query = `SELECT * FROM record WHERE kind IN (${kinds}) AND container IS ? ORDER BY seq LIMIT ?`;
    const oldest = this.#store.durable.db.prepare(query).all(holder === "" ? null : holder, SLICE_RECORDS);
    const removed = this.#remove(upTo(oldest, excess));
    invariant(removed > 0, "a container that holds records has some");
    return { reason: "size", removed, holder };
  }

  #remove(raws: readonly Raw[]): number {
    const rows = raws.map((raw) => {
      const row = rowOf(raw);
      if (row === null) throw new Error(`record ${String(raw["seq"])} is not one that the log wrote`);
      return row;
    }).sort((a, b) => a.seq - b.seq);
    if (rows.length === 0) return 0;
    const { durable } = this.#store;
    const { db } = durable;
    const forget = db.prepare("DELETE FROM record WHERE seq BETWEEN ? AND ?");
    const sizeBytes = rows.length * ROW_BYTES;
    durable.transact(sizeBytes, () => {
      for (const run of runsOf(rows)) {
        forget.run(run.first, run.last);
        this.#bridge(run);
      }
    });
    this.#giveBack();
    for (const { container, kind, body } of rows) this.#add(container, kind, -(body.length + ROW_BYTES));
    this.#checkpoints = countIn(db.prepare("SELECT count(*) AS n FROM checkpoint").get(), "n");
    return rows.length;
  }

  // SQLite reuses free pages. If there are many, the file is made shorter, a few pages at a time.
  #giveBack(): void {
    const { db } = this.#store.durable;
    const pages = countIn(db.prepare("PRAGMA page_count").get(), "page_count");
    const free = countIn(db.prepare("PRAGMA freelist_count").get(), "freelist_count");
    if (free > pages * FREE_PART) db.exec(`PRAGMA incremental_vacuum(${SLICE_RECORDS})`);
  }

  // Replaces the checkpoints right before and after the run, and the run, by one checkpoint.
  #bridge(run: Checkpoint): void {
    const { durable: { db }, key } = this.#store;
    const find = (query: string, seq: number) => {
      const raw = db.prepare(query).get(seq);
      return raw === undefined ? null : checkpointOf(raw);
    };
    const before = find("SELECT * FROM checkpoint WHERE last = ?", run.first - 1);
    const after = find("SELECT * FROM checkpoint WHERE first = ?", run.last + 1);
    const { first, previous } = before ?? run;
    const { last, hash } = after ?? run;
    db.prepare("DELETE FROM checkpoint WHERE first IN (?, ?)").run(first, run.last + 1);
    const { mark } = markCheckpoint({ first, last, previous, hash }, key);
    const insert = "INSERT INTO checkpoint (first, last, previous, hash, mark) VALUES (?, ?, ?, ?, ?)";
    db.prepare(insert).run(first, last, previous, hash, mark);
  }

  #add(container: string | null, kind: string, bytes: number): void {
    this.#bytes += bytes;
    if (!REMOVABLE_KINDS.some((each) => each === kind)) return;
    const holder = container ?? "";
    const held = (this.#held.get(holder) ?? 0) + bytes;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }
}

function bytesOf(sum: Raw): number {
  return countIn(sum, "b") + countIn(sum, "n") * ROW_BYTES;
}

// As many of the oldest rows as make up the excess, at least one.
function upTo(raws: readonly Raw[], excess: number): readonly Raw[] {
  let bytes = 0;
  const needed = raws.findIndex((raw) => (bytes += String(raw["body"]).length + ROW_BYTES) >= excess);
  return needed < 0 ? raws : raws.slice(0, needed + 1);
}

// Rows in the order of their numbers -> runs without a gap.
function runsOf(rows: readonly ChainedRow[]): readonly Checkpoint[] {
  const runs: Checkpoint[] = [];
  for (const { seq, previous, hash } of rows) {
    const before = runs.at(-1);
    if (before?.last === seq - 1) runs[runs.length - 1] = { ...before, last: seq, hash };
    else runs.push({ first: seq, last: seq, previous, hash });
  }
  return runs;
}
