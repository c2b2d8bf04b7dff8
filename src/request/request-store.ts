// The rule requests in the state directory, in one SQLite file. Every change is one transaction that is on disk before it is
// answered, so a kill never loses a request that was acknowledged. Failures are returned, never thrown.
import { closeSync, constants, existsSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText, quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { messageOf } from "../core/thrown.ts";
import { syncDirectory } from "../file/durable.ts";
import { whyUntrusted } from "../file/trust.ts";
import { decode } from "../wire/decode.ts";
import { type RuleRequest, StoredRequestSchema, type StoredState } from "../wire/stored-request.ts";

/** The file in the state directory. */
export const STORE_FILE = "requests.db";

/** Most requests in one listing. The newest are kept. */
export const LIST_LIMIT = 1_000;

/** The version of the table layout. A file with another layout is refused. */
const LAYOUT = 1;

const TABLES = `
  CREATE TABLE requests (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    container TEXT NOT NULL,
    text_digest TEXT NOT NULL,
    status TEXT NOT NULL,
    request TEXT NOT NULL
  ) STRICT;
  CREATE INDEX requests_by_container ON requests (container, status);
  CREATE INDEX requests_by_status ON requests (status);
  PRAGMA user_version = ${LAYOUT};
`;

/** The states of a request. */
export type Status = StoredState["status"];

/** Whether a state directory has a request store. */
export function hasStore(stateDir: string): boolean {
  return existsSync(join(stateDir, STORE_FILE));
}

/** How many requests are pending: of one container, and in all. */
export type Waiting = { readonly ofContainer: number; readonly inAll: number };

/** The request store. The daemon that opens it has locked the state directory. */
export class RequestStore {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Opens the store of an existing state directory, and creates it at the first start. */
  static open(stateDir: string): Result<RequestStore, Problem> {
    const path = join(stateDir, STORE_FILE);
    try {
      const wrong = prepareFile(path);
      if (wrong !== null) return err(problem("request.store", wrong));
      const database = new DatabaseSync(path);
      const layout = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
      if (layout !== 0 && layout !== LAYOUT) {
        database.close();
        return err(problem("request.store", `${quote(path)} is of another version of outcalld (layout ${layout})`));
      }
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      if (layout === 0) {
        database.exec(`BEGIN; ${TABLES} COMMIT`);
        syncDirectory(stateDir);
      }
      return ok(new RequestStore(database));
    } catch (cause) {
      return err(problem("request.store", `cannot open ${quote(path)}: ${quote(messageOf(cause))}`, { cause }));
    }
  }

  /** Adds a request with the digest of its text. */
  add(request: RuleRequest, textDigest: string): Result<null, Problem> {
    return this.#attempt(() => {
      this.#database.prepare(
        "INSERT INTO requests (id, container, text_digest, status, request) VALUES (?, ?, ?, ?, ?)",
      )
        .run(request.id, request.requester.id, textDigest, request.state.status, JSON.stringify(request));
      return null;
    });
  }

  /** The request with this id, or null. */
  find(id: string): Result<RuleRequest | null, Problem> {
    const rows = this.#rows("SELECT request FROM requests WHERE id = ?", id);
    return rows.ok ? ok(rows.value[0] ?? null) : rows;
  }

  /** The container's pending request with this text, or null. */
  findWaiting(container: string, textDigest: string): Result<RuleRequest | null, Problem> {
    const query = `SELECT request FROM requests WHERE container = ? AND text_digest = ? AND ${WAITING}`;
    const rows = this.#rows(query, container, textDigest);
    return rows.ok ? ok(rows.value[0] ?? null) : rows;
  }

  /** The newest `LIST_LIMIT` requests in these states, oldest first. */
  list(statuses: readonly Status[]): Result<readonly RuleRequest[], Problem> {
    const marks = statuses.map(() => "?").join(", ");
    const query = `SELECT request FROM requests WHERE status IN (${marks}) ORDER BY number DESC LIMIT ${LIST_LIMIT}`;
    const rows = this.#rows(query, ...statuses);
    return rows.ok ? ok(rows.value.toReversed()) : rows;
  }

  /** How many requests are pending. */
  countWaiting(container: string): Result<Waiting, Problem> {
    return this.#attempt(() => {
      const query = `SELECT count(*) AS n, total(container = ?) AS own FROM requests WHERE ${WAITING}`;
      const row = this.#database.prepare(query).get(container);
      return { ofContainer: Number(row?.["own"]), inAll: Number(row?.["n"]) };
    });
  }

  /** Changes the state of a request if it is still in state `from`; returns whether it was. */
  change(request: RuleRequest, from: Status): Result<boolean, Problem> {
    return this.#attempt(() => {
      const query = "UPDATE requests SET status = ?, request = ? WHERE id = ? AND status = ?";
      const statement = this.#database.prepare(query);
      return Number(statement.run(request.state.status, JSON.stringify(request), request.id, from).changes) === 1;
    });
  }

  /** Closes the file. Later calls fail. */
  close(): void {
    this.#database.close();
  }

  #rows(query: string, ...values: readonly string[]): Result<readonly RuleRequest[], Problem> {
    const texts = this.#attempt(() => this.#database.prepare(query).all(...values).map(({ request }) => request));
    if (!texts.ok) return texts;
    const requests: RuleRequest[] = [];
    for (const text of texts.value) {
      const request = this.#attempt(() => readRequest(text));
      if (!request.ok) return request;
      requests.push(request.value);
    }
    return ok(requests);
  }

  #attempt<T>(act: () => T): Result<T, Problem> {
    try {
      return ok(act());
    } catch (cause) {
      // The caller may be an agent, so the detail goes to the log only.
      const detail = { detail: escapeText(messageOf(cause)) };
      return err(problem("request.store", "rule requests are not available", { cause: detail }));
    }
  }
}

const WAITING = "status IN ('pending', 'approving')";

function readRequest(text: unknown): RuleRequest {
  const request = decode(StoredRequestSchema, JSON.parse(String(text)));
  if (!request.ok) throw new Error(`damaged record: ${request.error.message}`);
  return request.value;
}

// Creates the file before SQLite does, so that it and SQLite's own files beside it are private to the daemon.
function prepareFile(path: string): string | null {
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  try {
    const stats = fstatSync(fd);
    const isOurs = stats.isFile() && (stats.mode & 0o077) === 0 && whyUntrusted(stats) === null;
    return isOurs ? null : `${quote(path)} is not a file of the daemon with mode 0600`;
  } finally {
    closeSync(fd);
  }
}
