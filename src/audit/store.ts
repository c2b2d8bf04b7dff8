// Store: the files of the log, open for appending. Each batch is one transaction, on disk together with the new head before
// `append` returns; after a failure the store is of no more use and is opened anew, which reads where the chain really ends.
import { existsSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { openForWriting } from "./database.ts";
import { formatHead, readHead } from "./head-file.ts";
import { type LogKey, makeKey, readKey } from "./key-file.ts";
import { type LogPaths, logPaths } from "./paths.ts";
import { type ChainedRow, chainRow, GENESIS, type Link, type Row } from "./row.ts";
import { publishAside, writeAside } from "./state-file.ts";
import { storeProblem } from "./store-problem.ts";
import { checkEnd } from "./walk.ts";

const INSERT = `INSERT INTO record (seq, at, kind, audit, container, name, decision, rule, body, previous, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const KEPT = "nothing of it is changed; to begin a new log, move all files decisions.* away";

/** The log of a state directory, open for appending. */
export class Store {
  readonly db: DatabaseSync;
  readonly key: LogKey;
  readonly #paths: LogPaths;
  readonly #insert: ReturnType<DatabaseSync["prepare"]>;
  readonly #inodes = new Map<string, number>();
  #tail: Link;

  private constructor(db: DatabaseSync, paths: LogPaths, key: LogKey, tail: Link) {
    this.db = db;
    this.key = key;
    this.#paths = paths;
    this.#insert = db.prepare(INSERT);
    this.#tail = tail;
  }

  /** Opens the log, and begins it where there is none; what is there and not whole is refused and left as it is. */
  static open(stateDir: string): Result<Store, Problem> {
    const paths = logPaths(stateDir);
    const begun = beginOrRead(paths);
    if (!begun.ok) return begun;
    const { key, head } = begun.value;
    let db: DatabaseSync;
    try {
      db = openForWriting(paths.database);
    } catch (cause) {
      return err(unusable(paths, cause));
    }
    const opened = openAt(db, paths, key, head);
    if (!opened.ok) db.close();
    return opened.ok ? ok(new Store(db, paths, key, opened.value)) : opened;
  }

  /** The newest record. */
  get tail(): Link {
    return this.#tail;
  }

  /** Appends rows: all of them are on disk, or the store is to be closed. */
  append(rows: readonly Row[]): Result<null, Problem> {
    const chained: ChainedRow[] = [];
    let tail = this.#tail;
    for (const row of rows) chained.push(tail = chainRow(row, tail));
    try {
      // What needs room on the disk comes first, so that a full one fails before the records are in.
      writeAside(this.#paths.head, new TextEncoder().encode(formatHead(tail, this.key)));
      this.transact(() => chained.forEach((row) => this.#write(row)));
      publishAside(this.#paths.head);
      this.#checkInPlace();
    } catch (cause) {
      return err(storeProblem(`cannot write ${quote(this.#paths.database)}`, cause));
    }
    this.#tail = tail;
    return ok(null);
  }

  /** Runs changes of the database as one; throws what the database says. */
  transact(change: () => void): void {
    this.db.exec("BEGIN IMMEDIATE");
    change();
    this.db.exec("COMMIT");
  }

  /** Closes the database; an open transaction is undone. */
  close(): void {
    this.db.close();
  }

  #write({ seq, at, kind, audit, container, name, decision, rule, body, previous, hash }: ChainedRow): void {
    this.#insert.run(seq, at, kind, audit ? 1 : 0, container, name, decision, rule, body, previous, hash);
  }

  // A file that is removed or exchanged under an open database goes on taking writes that nobody will ever read.
  #checkInPlace(): void {
    for (const path of [this.#paths.database, `${this.#paths.database}-wal`]) {
      const { ino } = statSync(path);
      const known = this.#inodes.get(path) ?? ino;
      if (ino !== known) throw new Error(`${path} was exchanged`);
      this.#inodes.set(path, ino);
    }
  }
}

type Begun = { readonly key: LogKey; readonly head: Link };

// Key, then head, then database: whichever is missing after that was taken away.
function beginOrRead(paths: LogPaths): Result<Begun, Problem> {
  const hasDatabase = existsSync(paths.database);
  const key = readKey(paths.key);
  if (!key.ok) return key;
  if (key.value === null && !hasDatabase && !existsSync(paths.head)) {
    const made = makeKey(paths.key);
    return made.ok ? beginHead(paths, made.value) : made;
  }
  if (key.value === null) return err(missing(paths.key));
  const head = readHead(paths.head, key.value);
  if (!head.ok) return err({ ...head.error, hint: KEPT });
  if (head.value === null) return hasDatabase ? err(missing(paths.head)) : beginHead(paths, key.value);
  if (!hasDatabase && head.value.seq > 0) return err(missing(paths.database));
  return ok({ key: key.value, head: head.value });
}

function beginHead(paths: LogPaths, key: LogKey): Result<Begun, Problem> {
  try {
    writeHead(paths, GENESIS, key);
  } catch (cause) {
    return err(storeProblem(`cannot write ${quote(paths.head)}`, cause));
  }
  return ok({ key, head: GENESIS });
}

function writeHead(paths: LogPaths, head: Link, key: LogKey): void {
  writeAside(paths.head, new TextEncoder().encode(formatHead(head, key)));
  publishAside(paths.head);
}

function openAt(db: DatabaseSync, paths: LogPaths, key: LogKey, head: Link): Result<Link, Problem> {
  try {
    const end = checkEnd(db, { key, head });
    // After a kill between the two, the database is ahead of the head.
    if (end.ok && end.value.seq > head.seq) writeHead(paths, end.value, key);
    if (end.ok) return end;
    return err(problem("audit.broken", `decision log ${quote(paths.database)}: ${end.error}`, { hint: KEPT }));
  } catch (cause) {
    return err(unusable(paths, cause));
  }
}

function unusable(paths: LogPaths, cause: unknown): Problem {
  return { ...storeProblem(`cannot use the decision log ${quote(paths.database)}`, cause), hint: KEPT };
}

function missing(path: string): Problem {
  return problem("audit.broken", `the decision log's file ${quote(path)} is missing`, { hint: KEPT });
}
