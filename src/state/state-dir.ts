// The state directory and its lock, which decides between two daemons that start at once. The kernel releases the lock when
// the process ends, so a stale lock cannot exist.
import { closeSync, constants, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { messageOf } from "../core/thrown.ts";
import { libc } from "../peer/ffi.ts";
import { whyUntrusted } from "../file/trust.ts";

/** The file of the lock in the state directory. */
const LOCK_FILE = "lock";

/** flock(2): exclusive, and refused at once instead of waited for. */
const LOCK_EX_NB = 2 | 4;

/** A state directory that this daemon has locked until it is closed. */
export type StateDir = { readonly path: string; readonly close: () => void };

/** Makes the directory if it is missing, and locks it. */
export function openStateDir(path: string): Result<StateDir, Problem> {
  const calls = libc();
  if (!calls.ok) return calls;
  const lock = openLock(path);
  if (!lock.ok) return lock;
  const fd = lock.value;
  if (calls.value.flock(fd, LOCK_EX_NB) === 0) return ok({ path, close: () => closeSync(fd) });
  closeSync(fd);
  return err(problem("daemon.configuration", `another daemon uses the state directory ${quote(path)}`));
}

function openLock(path: string): Result<number, Problem> {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const untrusted = whyUntrusted(statSync(path));
    if (untrusted !== null) return err(problem("daemon.configuration", `state directory ${quote(path)} ${untrusted}`));
    return ok(openSync(join(path, LOCK_FILE), constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600));
  } catch (cause) {
    const reason = messageOf(cause);
    return err(
      problem("daemon.configuration", `cannot use the state directory ${quote(path)}: ${quote(reason)}`, { cause }),
    );
  }
}
