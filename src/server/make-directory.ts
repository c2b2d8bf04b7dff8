// Makes the directory of a socket if it is missing. An existing directory stays unchanged, unless a group needs access and the
// directory is clearly the socket's own: the daemon's user owns it, and it holds nothing but that socket.
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { messageOf, systemCodeOf } from "../core/thrown.ts";

/** The directory of a socket, as it should be. */
export type SocketDirectory = {
  readonly socketPath: string;
  readonly mode: number;
  /** The group to which the mode gives access; null: the group of the process. */
  readonly gid: number | null;
};

/** Makes the directory of a socket, or gives the group access to the existing one. */
export function makeDirectory({ socketPath, mode, gid }: SocketDirectory): Result<null, Problem> {
  const path = dirname(socketPath);
  try {
    if (!madeNow(path, mode) && !(gid !== null && isOnlyFor(socketPath))) return ok(null);
    if (gid === null) return ok(null);
    chownSync(path, lstatSync(path).uid, gid);
    // The umask may have taken the group's bits away.
    chmodSync(path, mode);
    return ok(null);
  } catch (cause) {
    const reason = systemCodeOf(cause) ?? messageOf(cause);
    return err(problem("daemon.socket-bind", `cannot make directory ${quote(path)}: ${quote(reason)}`, { cause }));
  }
}

function madeNow(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (cause) {
    if (systemCodeOf(cause) === "EEXIST") return false;
    throw cause;
  }
}

function isOnlyFor(socketPath: string): boolean {
  const stats = lstatSync(dirname(socketPath));
  if (!stats.isDirectory() || stats.uid !== process.getuid?.()) return false;
  return readdirSync(dirname(socketPath)).every((name) => name === basename(socketPath));
}
