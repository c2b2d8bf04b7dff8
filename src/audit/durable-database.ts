// A database whose commits become durable without holding the thread: SQLite writes to its log and never syncs, and this class
// syncs the files asynchronously. Against a loss of power, the order is fixed: a commit counts once the log is synced, the log is
// synced before it is copied into the database, and the database is synced before the next write after such a copy.
import { closeSync, constants, fstatSync, fsync, openSync, statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { countIn } from "./database.ts";

/** Bytes of rows after which the log is copied into the database: some hundred pages, which takes a millisecond or two. */
const COPY_AFTER_BYTES = 512 * 1024;

/** The database, with the descriptors that sync its files. */
export class DurableDatabase {
  readonly db: DatabaseSync;
  readonly #files: readonly { readonly path: string; readonly fd: number }[];
  #bytes = 0;

  /** Takes over a database that was opened for writing and has been read from, so that its log file exists. */
  constructor(db: DatabaseSync, path: string) {
    this.db = db;
    // Read-only descriptors are enough: fsync(2) syncs the file. They stay open as long as the database, because closing one
    // releases the locks that SQLite holds on the same file.
    this.#files = [path, `${path}-wal`].map((file) => ({ path: file, fd: openSync(file, constants.O_RDONLY) }));
  }

  /** Runs changes as one transaction, which is in the log but not yet durable. Throws the database's error. */
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

  /** Makes every transaction durable. Throws the system's error, also when a file was moved or removed. */
  async sync(): Promise<void> {
    await syncFile(this.#log);
    // An open database keeps writing to a file that was removed or replaced, and no reader would ever see those writes.
    for (const { path, fd } of this.#files) {
      if (statSync(path).ino !== fstatSync(fd).ino) throw new Error(`${path} was exchanged`);
    }
  }

  /** Copies the log into the database if the log is large enough. The caller writes nothing before this resolves. */
  async copyLog(): Promise<void> {
    if (this.#bytes < COPY_AFTER_BYTES) return;
    await syncFile(this.#log);
    const done = this.db.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
    if (countIn(done, "busy") === 0) this.#bytes = 0;
    await syncFile(this.#database);
  }

  /** Closes everything. SQLite copies the rest of its log and syncs it. */
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

/** Syncs a file without holding the thread. */
function syncFile(fd: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fsync(fd, (failed) => failed === null || failed === undefined ? resolve() : reject(failed));
  });
}
