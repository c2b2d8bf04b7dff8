// Removal of old records, a slice at a time so that nobody waits for it: by age all kinds, by size only what containers can
// make any number of, always from the container that holds most, so that none can wash out another's evidence.
import { invariant } from "../core/invariant.ts";
import { type Checkpoint, markCheckpoint } from "./checkpoint.ts";
import { checkpointOf, countIn, type Raw, REMOVABLE_KINDS, rowOf } from "./database.ts";
import type { ChainedRow, Row } from "./row.ts";
import type { Store } from "./record-store.ts";

/** How long records are kept, and how many bytes of them. */
export type Limits = { readonly keepMs: number; readonly maxBytes: number };

/** Why records were removed. */
type RemovalReason = "age" | "size";

/** What one slice removed. */
export type Removal = {
  readonly reason: RemovalReason;
  readonly removed: number;
  /** Of one container, or of the host; null where records of all kinds were too old. */
  readonly holder: string | null;
};

/** Records of one slice: a millisecond or two of work. */
export const SLICE_RECORDS = 32;

/** What a record takes besides its body: hashes, columns, its share of two indexes and of pages that are not full. */
export const ROW_BYTES = 450;

/** What a checkpoint takes. */
const CHECKPOINT_BYTES = 280;

/** Over its size the log is brought down to this part of it, so that not every record removes one. */
const TARGET = 0.95;

/** The part of the file that may be free pages before it is made shorter. */
const FREE_PART = 0.2;

/** Keeps the count of what the log holds, and removes what is too old or too much. */
export class Retention {
  readonly #store: Store;
  readonly #limits: Limits;
  /** Bytes that may be removed for size, by container; the host's own under "". */
  readonly #held = new Map<string, number>();
  #bytes = 0;
  #checkpoints = 0;
  #isShrinking = false;

  /** Counts what is there; throws what the database says. */
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

  /** Bytes that the records take, as far as it can be told without looking. */
  get sizeBytes(): number {
    return this.#bytes + this.#checkpoints * CHECKPOINT_BYTES;
  }

  /** Whether records are to be removed for their size. */
  get isOverSize(): boolean {
    return this.sizeBytes > this.#limits.maxBytes && this.#held.size > 0;
  }

  /** Counts rows that were appended. */
  note(rows: readonly Row[]): void {
    for (const { container, kind, body } of rows) this.#add(container, kind, body.length + ROW_BYTES);
  }

  /** Removes a slice of what is too old, else of what is too much; null when there is neither. Throws what the database says. */
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

  // Free pages are used again; only where they are many does the file get shorter, a few pages at a time.
  #giveBack(): void {
    const { db } = this.#store.durable;
    const pages = countIn(db.prepare("PRAGMA page_count").get(), "page_count");
    const free = countIn(db.prepare("PRAGMA freelist_count").get(), "freelist_count");
    if (free > pages * FREE_PART) db.exec(`PRAGMA incremental_vacuum(${SLICE_RECORDS})`);
  }

  // One checkpoint for the run and those that end before it and begin behind it.
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

// As many of the oldest as make up the excess, at least one.
function upTo(raws: readonly Raw[], excess: number): readonly Raw[] {
  let bytes = 0;
  const needed = raws.findIndex((raw) => (bytes += String(raw["body"]).length + ROW_BYTES) >= excess);
  return needed < 0 ? raws : raws.slice(0, needed + 1);
}

// Rows in the order of their numbers -> the runs without a gap.
function runsOf(rows: readonly ChainedRow[]): readonly Checkpoint[] {
  const runs: Checkpoint[] = [];
  for (const { seq, previous, hash } of rows) {
    const before = runs.at(-1);
    if (before?.last === seq - 1) runs[runs.length - 1] = { ...before, last: seq, hash };
    else runs.push({ first: seq, last: seq, previous, hash });
  }
  return runs;
}
