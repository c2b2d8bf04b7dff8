// A key in the state directory: made at the first start with mode 0600, so that only the daemon can read it.
import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { isMissing, messageOf } from "../core/thrown.ts";
import { replaceFile } from "../file/replace-file.ts";
import { whyUntrusted } from "../file/trust.ts";

/** Bytes of a key: as many as its SHA-256 digests have. */
const KEY_BYTES = 32;

/** Reads a key of a locked state directory, or makes it at the first start. */
export function loadStateKey(stateDir: string, name: string): Result<Uint8Array, Problem> {
  const path = join(stateDir, name);
  try {
    return readKey(path) ?? makeKey(path);
  } catch (cause) {
    const reason = messageOf(cause);
    return err(problem("daemon.configuration", `cannot keep a key in ${quote(stateDir)}: ${quote(reason)}`, { cause }));
  }
}

// Null where there is no key yet. A key that is cut short, or that others may read, is an error and never replaced.
function readKey(path: string): Result<Uint8Array, Problem> | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
  try {
    const stats = fstatSync(fd);
    const bytes = stats.isFile() ? readFileSync(fd) : new Uint8Array();
    const whole = bytes.length === KEY_BYTES && (stats.mode & 0o077) === 0 && whyUntrusted(stats) === null;
    if (whole) return ok(bytes);
    const wanted = `not a key file of the daemon with mode 0600 and ${KEY_BYTES} bytes`;
    return err(problem("daemon.configuration", `${quote(path)} is ${wanted}`));
  } finally {
    closeSync(fd);
  }
}

function makeKey(path: string): Result<Uint8Array, Problem> {
  const bytes = randomBytes(KEY_BYTES);
  const written = replaceFile(path, bytes, 0o600);
  return written.ok ? ok(bytes) : err(problem("daemon.configuration", written.error));
}
