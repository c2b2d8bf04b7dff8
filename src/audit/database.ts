// The database: its tables, and its rows as typed values. Only the daemon opens it for writing.
import { closeSync, constants, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { invariant } from "../core/invariant.ts";
import type { MarkedCheckpoint } from "./checkpoint.ts";
import type { ChainedRow } from "./row.ts";

/** The number of the table layout. A database with another layout is refused. */
const LAYOUT = 1;

/** How long a read waits for another process that holds the database, in milliseconds. */
const BUSY_MS = 1_000;

/** How long a write waits for it, in milliseconds. The wait holds the serving thread, and only foreign tools hold the database. */
const WRITE_BUSY_MS = 20;

/** The kinds of which a container can cause any number. Only these are removed for size; every kind is removed by age. */
export const REMOVABLE_KINDS = ["decision", "what-if", "refusal"] as const;

const SCHEMA = `
  CREATE TABLE record (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    audit INTEGER NOT NULL,
    container TEXT,
    name TEXT,
    decision TEXT,
    rule TEXT,
    body TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE INDEX record_at ON record (at);
  CREATE INDEX record_held ON record (container, seq, kind, length(body));
  CREATE TABLE checkpoint (
    first INTEGER PRIMARY KEY,
    last INTEGER NOT NULL UNIQUE,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    mark TEXT NOT NULL
  ) STRICT;
  PRAGMA user_version = ${LAYOUT};
`;

/** Opens the database for writing and creates it if there is none. The caller syncs its files. Throws the database's error. */
export function openForWriting(path: string): DatabaseSync {
  // Created here with its mode, so that no other user can ever read it. SQLite gives the files beside it the same mode.
  closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  const db = new DatabaseSync(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${WRITE_BUSY_MS}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA cache_size = -512`);
    const mode = db.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"];
    if (mode !== "wal") throw new Error(`no write-ahead log here: journal mode is ${String(mode)}`);
    if (layoutOf(db) === 0) db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    checkLayout(db);
    // `DurableDatabase` syncs the files and copies the log into the database, outside the serving loop.
    db.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0");
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Opens the database for reading. Throws the database's error. */
export function openForReading(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    checkLayout(db);
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

function layoutOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.["user_version"]);
}

function checkLayout(db: DatabaseSync): void {
  const layout = layoutOf(db);
  if (layout !== LAYOUT) throw new Error(`layout ${layout} of the records is not known to this version`);
}

/** A row as the database returns it. */
export type Raw = Readonly<Record<string, unknown>>;

/** The record of a row; null where a column has a type that the log never writes. */
export function rowOf(raw: Raw): ChainedRow | null {
  const { seq, at, kind, audit, container, name, decision, rule, body, previous, hash } = raw;
  if (!isCount(seq) || !isCount(at) || Math.abs(at) > LAST_TIME || (audit !== 0 && audit !== 1)) return null;
  if (!isText(kind) || !isText(body) || !isText(previous) || !isText(hash)) return null;
  if (!isOptional(container) || !isOptional(name) || !isOptional(decision) || !isOptional(rule)) return null;
  return { seq, at, kind, audit: audit === 1, container, name, decision, rule, body, previous, hash };
}

/** The checkpoint of a row; null where a column has a type that the log never writes. */
export function checkpointOf(raw: Raw): MarkedCheckpoint | null {
  const { first, last, previous, hash, mark } = raw;
  if (!isCount(first) || !isCount(last) || !isText(previous) || !isText(hash) || !isText(mark)) return null;
  return { first, last, previous, hash, mark };
}

/** A number that a query counted. */
export function countIn(raw: Raw | undefined, column: string): number {
  const value = raw?.[column] ?? 0;
  invariant(typeof value === "number", "a count is a number");
  return value;
}

/** The last time that a date can hold, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isOptional(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
