// The files of the decision log in the state directory.
import { join } from "node:path";

/** The paths of the log's files. */
export type LogPaths = {
  /** The records: an SQLite database, with `-wal` and `-shm` files beside it. */
  readonly database: string;
  /** The end of the chain, in a file of its own so that missing records at the end are found. */
  readonly head: string;
  /** The key of the log. */
  readonly key: string;
};

/** The file of the key by which rules and records get the ids that agents are shown. */
export function ruleIdKeyPath(stateDir: string): string {
  return join(stateDir, RULE_ID_KEY_FILE);
}

/** The name of that file. */
export const RULE_ID_KEY_FILE = "rule-id.key";

/** The paths in a state directory. */
export function logPaths(stateDir: string): LogPaths {
  const file = (name: string) => join(stateDir, `decisions.${name}`);
  return { database: file("db"), head: file("head"), key: file("key") };
}
