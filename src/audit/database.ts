// The database: its tables, its rows as typed values. Opened for writing by the daemon alone, for reading by anyone who may.
import { closeSync, constants, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { invariant } from "../core/invariant.ts";
import type { MarkedCheckpoint } from "./checkpoint.ts";
import type { ChainedRow } from "./row.ts";

/** Number of the layout; another one is not ours to read. */
const LAYOUT = 1;

/** How long a read waits for another process that holds the database, in milliseconds. */
const BUSY_MS = 1_000;

/** How long a write does: nobody is served meanwhile, and nobody but a person with other tools ever holds it. */
const WRITE_BUSY_MS = 20;

/** Kinds of which there may be any number; size removes these alone, time removes every kind. */
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

/** Opens the database for writing, and makes it where there is none; its owner syncs (`sync.ts`). Throws what the database says. */
export function openForWriting(path: string): DatabaseSync {
  // By ourselves, so that nobody else can ever read it: the files beside it get the same mode.
  closeSync(openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  const db = new DatabaseSync(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${WRITE_BUSY_MS}; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA cache_size = -512`);
    const mode = db.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"];
    if (mode !== "wal") throw new Error(`no write-ahead log here: journal mode is ${String(mode)}`);
    if (layoutOf(db) === 0) db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
    checkLayout(db);
    // Syncing is done beside the serving loop, never in it, and so is the copying from log to database that needs it.
    db.exec("PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0");
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

/** Opens the database for reading; throws what the database says. */
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

/** A row as the database gives it. */
export type Raw = Readonly<Record<string, unknown>>;

/** The record of a row of all columns; null where a column has a type that we never write. */
export function rowOf(raw: Raw): ChainedRow | null {
  const { seq, at, kind, audit, container, name, decision, rule, body, previous, hash } = raw;
  if (!isCount(seq) || !isCount(at) || Math.abs(at) > LAST_TIME || (audit !== 0 && audit !== 1)) return null;
  if (!isText(kind) || !isText(body) || !isText(previous) || !isText(hash)) return null;
  if (!isOptional(container) || !isOptional(name) || !isOptional(decision) || !isOptional(rule)) return null;
  return { seq, at, kind, audit: audit === 1, container, name, decision, rule, body, previous, hash };
}

/** The checkpoint of a row of all columns; null where a column has a type that we never write. */
export function checkpointOf(raw: Raw): MarkedCheckpoint | null {
  const { first, last, previous, hash, mark } = raw;
  if (!isCount(first) || !isCount(last) || !isText(previous) || !isText(hash) || !isText(mark)) return null;
  return { first, last, previous, hash, mark };
}

/** A number of a row that a query of ours counted. */
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
