// The files of a log, opened for reading. Key and head are read before the records, so that the records are at least as new.
import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { openForReading } from "./database.ts";
import { readHead } from "./head-file.ts";
import { type LogKey, readKey } from "./key-file.ts";
import { logPaths } from "./paths.ts";
import type { Link } from "./row.ts";
import { storeProblem } from "./store-problem.ts";

/** A log that is open for reading. The caller closes the database. */
export type OpenLog = {
  readonly db: DatabaseSync;
  readonly key: LogKey;
  readonly head: Link;
  /** The path of the database. */
  readonly path: string;
};

/** Opens all files that a verification needs. If one of them is missing, the log is broken; if all are, there is no log. */
export function openLog(stateDir: string): Result<OpenLog, Problem> {
  const paths = logPaths(stateDir);
  const present = look([paths.key, paths.head, paths.database], stateDir);
  if (!present.ok) return present;
  if (!present.value.includes(true)) return err(noLog(stateDir));
  const key = readKey(paths.key);
  if (!key.ok) return key;
  if (key.value === null) return err(missing(paths.key));
  const head = readHead(paths.head, key.value);
  if (!head.ok) return head;
  if (head.value === null) return err(missing(paths.head));
  const db = openRecords(stateDir);
  return db.ok ? ok({ db: db.value, key: key.value, head: head.value, path: paths.database }) : db;
}

/** Opens only the records. */
export function openRecords(stateDir: string): Result<DatabaseSync, Problem> {
  const { database } = logPaths(stateDir);
  const present = look([stateDir, database], stateDir);
  if (!present.ok) return present;
  const [isDirThere, isDatabaseThere] = present.value;
  if (isDatabaseThere !== true) return err(isDirThere === true ? missing(database) : noLog(stateDir));
  try {
    return ok(openForReading(database));
  } catch (cause) {
    return err(storeProblem(`cannot read the decision log ${quote(database)}`, cause));
  }
}

// Which of the paths exist. A lack of rights is an error and does not mean that a file is missing.
function look(paths: readonly string[], stateDir: string): Result<readonly boolean[], Problem> {
  try {
    return ok(paths.map((path) => statSync(path, { throwIfNoEntry: false }) !== undefined));
  } catch (cause) {
    return err({ ...storeProblem(`cannot read the decision log in ${quote(stateDir)}`, cause), hint: READERS });
  }
}

const READERS = "only root and the daemon's user can read it";

function noLog(stateDir: string): Problem {
  return problem("audit.store", `no decision log in ${quote(stateDir)}`, {
    hint: `name the daemon's state directory with --state-dir; ${READERS}`,
  });
}

function missing(path: string): Problem {
  return problem("audit.broken", `the decision log's file ${quote(path)} is missing`);
}
