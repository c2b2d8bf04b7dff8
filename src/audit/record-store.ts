// Store: the files of the log, open for appending. Each batch is one transaction and is on disk, with the new head, when
// `append` resolves. After a failure the caller closes the store and opens it again, which finds the real end of the chain. The
// caller waits for each call before it makes the next.
import { existsSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { openForWriting } from "./database.ts";
import { DurableDatabase } from "./durable-database.ts";
import { formatHead, readHead } from "./head-file.ts";
import { type LogKey, makeKey, readKey } from "./key-file.ts";
import { type LogPaths, logPaths } from "./paths.ts";
import { type ChainedRow, chainRow, GENESIS, type Link, type Row } from "./row.ts";
import { publishAside, writeAside } from "./state-file.ts";
import { storeProblem } from "./store-problem.ts";
import { checkEnd } from "./walk-chain.ts";

const INSERT = `INSERT INTO record (seq, at, kind, audit, container, name, decision, rule, body, previous, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const KEPT = "the daemon leaves the files unchanged; to start a new log, move all files decisions.* away";

/** The log of a state directory, open for appending. */
export class Store {
  readonly durable: DurableDatabase;
  readonly key: LogKey;
  readonly #paths: LogPaths;
  readonly #insert: ReturnType<DatabaseSync["prepare"]>;
  #tail: Link;

  private constructor(db: DatabaseSync, paths: LogPaths, key: LogKey, tail: Link) {
    this.durable = new DurableDatabase(db, paths.database);
    this.key = key;
    this.#paths = paths;
    this.#insert = db.prepare(INSERT);
    this.#tail = tail;
  }

  /** Opens the log, or creates it if there is none. A log that is not whole is refused and left unchanged. */
  static async open(stateDir: string): Promise<Result<Store, Problem>> {
    const paths = logPaths(stateDir);
    const begun = await beginOrRead(paths);
    if (!begun.ok) return begun;
    let db: DatabaseSync;
    try {
      db = openForWriting(paths.database);
    } catch (cause) {
      return err(unusable(paths, cause));
    }
    const opened = await openAt(db, paths, begun.value);
    if (!opened.ok) {
      db.close();
      return opened;
    }
    return ok(new Store(db, paths, begun.value.key, opened.value));
  }

  /** The newest record. */
  get tail(): Link {
    return this.#tail;
  }

  /** The time of the newest record in milliseconds since 1970; null where there is none. */
  newestAtMs(): number | null {
    const found = this.durable.db.prepare("SELECT at FROM record ORDER BY seq DESC LIMIT 1").get()?.["at"];
    return typeof found === "number" ? found : null;
  }

  /** Appends rows and returns the number of the first one: all of them are on disk, or the caller must close the store. */
  async append(rows: readonly Row[]): Promise<Result<number, Problem>> {
    const chained: ChainedRow[] = [];
    const first = this.#tail.seq + 1;
    let tail = this.#tail;
    let sizeBytes = 0;
    for (const row of rows) {
      chained.push(tail = chainRow(row, tail, this.key));
      sizeBytes += row.body.length;
    }
    try {
      // The head file needs new space, so it is written first: on a full disk this fails before the records are written.
      await writeAside(this.#paths.head, formatHead(tail, this.key));
      this.durable.transact(sizeBytes, () => chained.forEach((row) => this.#write(row)));
      await this.durable.sync();
      await publishAside(this.#paths.head);
      await this.durable.copyLog();
    } catch (cause) {
      return err(storeProblem(`cannot write ${quote(this.#paths.database)}`, cause));
    }
    this.#tail = tail;
    return ok(first);
  }

  /** Closes the files. Throws the database's error. */
  close(): void {
    this.durable.close();
  }

  #write({ seq, at, kind, audit, container, name, decision, rule, body, previous, hash }: ChainedRow): void {
    this.#insert.run(seq, at, kind, audit ? 1 : 0, container, name, decision, rule, body, previous, hash);
  }
}

type Begun = { readonly key: LogKey; readonly head: Link };

// Files are created in the order key, head, database. If an earlier one is missing while a later one exists, it was removed.
async function beginOrRead(paths: LogPaths): Promise<Result<Begun, Problem>> {
  const hasDatabase = existsSync(paths.database);
  const key = readKey(paths.key);
  if (!key.ok) return key;
  if (key.value === null && !hasDatabase && !existsSync(paths.head)) {
    const made = await makeKey(paths.key);
    return made.ok ? await beginHead(paths, made.value) : made;
  }
  if (key.value === null) return err(missing(paths.key));
  const head = readHead(paths.head, key.value);
  if (!head.ok) return err({ ...head.error, hint: KEPT });
  if (head.value === null) return hasDatabase ? err(missing(paths.head)) : await beginHead(paths, key.value);
  if (!hasDatabase && head.value.seq > 0) return err(missing(paths.database));
  return ok({ key: key.value, head: head.value });
}

async function beginHead(paths: LogPaths, key: LogKey): Promise<Result<Begun, Problem>> {
  try {
    await writeHead(paths, GENESIS, key);
  } catch (cause) {
    return err(storeProblem(`cannot write ${quote(paths.head)}`, cause));
  }
  return ok({ key, head: GENESIS });
}

async function writeHead(paths: LogPaths, head: Link, key: LogKey): Promise<void> {
  await writeAside(paths.head, formatHead(head, key));
  await publishAside(paths.head);
}

async function openAt(db: DatabaseSync, paths: LogPaths, { key, head }: Begun): Promise<Result<Link, Problem>> {
  try {
    const end = checkEnd(db, { key, head });
    // After a kill between the two writes, the database is ahead of the head.
    if (end.ok && end.value.seq > head.seq) await writeHead(paths, end.value, key);
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
