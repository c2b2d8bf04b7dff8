// The files of the decision log in the state directory.
import { join } from "node:path";

/** Where each file of the log is. */
export type LogPaths = {
  /** The records: an SQLite database, beside it its `-wal` and `-shm`. */
  readonly database: string;
  /** The end of the chain, kept apart so that a cut tail is found. */
  readonly head: string;
  /** The key of marks and digests. */
  readonly key: string;
};

/** The file of the key by which rules and records get the ids that agents are shown. */
export function ruleIdKeyPath(stateDir: string): string {
  return join(stateDir, RULE_ID_KEY_FILE);
}

/** The name of that file. */
export const RULE_ID_KEY_FILE = "rule-id.key";

/** The files in a state directory. */
export function logPaths(stateDir: string): LogPaths {
  const file = (name: string) => join(stateDir, `decisions.${name}`);
  return { database: file("db"), head: file("head"), key: file("key") };
}
