// A database whose commits are made durable without holding the thread: SQLite writes to its log and never syncs, and the
// files are synced beside it. Three orders keep what was synced safe from a loss of power: the log is synced before it counts
// and before it is copied into the database, and the database is synced before anything is written after such a copy.
import { closeSync, constants, fstatSync, fsync, openSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { countIn } from "./database.ts";

/** Bytes of rows after which the log is copied into the database: some hundred pages, a millisecond or two. */
const COPY_AFTER_BYTES = 512 * 1024;

/** The database and the descriptors by which its files are synced. */
export class DurableDatabase {
  readonly db: DatabaseSync;
  readonly #files: readonly { readonly path: string; readonly fd: number }[];
  #bytes = 0;

  /** Takes over a database that was opened for writing and read from, so that its log is there. */
  constructor(db: DatabaseSync, path: string) {
    this.db = db;
    // Read-only descriptors do: fsync(2) is about the file. They stay open as long as the database, since closing one lets go
    // of the locks that SQLite holds on the same file.
    this.#files = [path, `${path}-wal`].map((file) => ({ path: file, fd: openSync(file, constants.O_RDONLY) }));
  }

  /** Runs changes as one transaction, which is in the log but not yet durable; throws what the database says. */
  transact(sizeBytes: number, change: () => void): void {
    this.db.exec("BEGIN IMMEDIATE");
    try {
      change();
      this.db.exec("COMMIT");
    } catch (cause) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw cause;
    }
    this.#bytes += sizeBytes;
  }

  /** Makes every transaction durable; throws what the system says, also when a file is no longer in its place. */
  async sync(): Promise<void> {
    await syncFile(this.#log);
    // A file that is removed or exchanged under an open database goes on taking writes that nobody will ever read.
    for (const { path, fd } of this.#files) {
      if (statSync(path).ino !== fstatSync(fd).ino) throw new Error(`${path} was exchanged`);
    }
  }

  /** Copies the log into the database where there is enough of it; nothing may be written before this resolves. */
  async copyLog(): Promise<void> {
    if (this.#bytes < COPY_AFTER_BYTES) return;
    await syncFile(this.#log);
    const done = this.db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
    if (countIn(done, "busy") === 0) this.#bytes = 0;
    await syncFile(this.#database);
  }

  /** Closes everything; SQLite copies the rest of its log, and this once syncs by itself. */
  close(): void {
    try {
      this.db.exec("PRAGMA synchronous = FULL");
    } finally {
      this.db.close();
      for (const { fd } of this.#files) closeSync(fd);
    }
  }

  get #database(): number {
    return this.#files[0]?.fd ?? -1;
  }

  get #log(): number {
    return this.#files[1]?.fd ?? -1;
  }
}

/** Syncs a file beside the thread. */
function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (failed) => failed === null || failed === undefined ? resolve() : reject(failed));
  });
}
