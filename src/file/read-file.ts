// Path -> bytes, bounded. The file is opened once and judged by its descriptor, so that nothing can be swapped between a
// check and the reading (pitfall P8), and without waiting, so that a FIFO cannot hold whoever reads.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { isMissing, systemCodeOf } from "../core/thrown.ts";

/** What to read. */
export type FileToRead = {
  readonly path: string;
  /** The path that messages name, where it is not the one that is opened. */
  readonly shown?: string;
  /** Most bytes; of a longer file one byte more is read, so that the caller sees that it is too long. */
  readonly limitBytes: number;
  /** Why the file may not be relied on, or null. */
  readonly judge?: (stats: Stats) => string | null;
};

/** Why a file was not read: for programs by its kind, for people in words that name the file. */
export type FileError = {
  readonly kind: "missing" | "unreadable" | "not-regular" | "untrusted";
  readonly message: string;
};

/** Reads a regular file, or says why not. */
export function readFile({ path, shown = path, limitBytes, judge }: FileToRead): Result<Uint8Array, FileError> {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    return err(failureOf(shown, cause));
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return err({ kind: "not-regular", message: `${quote(shown)} is not a regular file` });
    const untrusted = judge?.(stats) ?? null;
    if (untrusted !== null) return err({ kind: "untrusted", message: `${quote(shown)} ${untrusted}` });
    return ok(readUpTo(fd, stats.size, limitBytes + 1));
  } catch (cause) {
    return err(failureOf(shown, cause));
  } finally {
    closeSync(fd);
  }
}

function failureOf(shown: string, cause: unknown): FileError {
  const kind = isMissing(cause) ? "missing" : "unreadable";
  return { kind, message: `cannot read ${quote(shown)}: ${reasonOf(cause)}` };
}

// The size that the file states is where to begin; what it holds may be more.
function readUpTo(fd: number, expectedBytes: number, limitBytes: number): Uint8Array {
  let buffer = new Uint8Array(Math.min(expectedBytes + 1, limitBytes));
  let length = 0;
  for (;;) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    length += read;
    if (read === 0 || length === limitBytes) return buffer.subarray(0, length);
    if (length < buffer.length) continue;
    const larger = new Uint8Array(Math.min(2 * length, limitBytes));
    larger.set(buffer);
    buffer = larger;
  }
}

/** What the system says of a failed call, in words where it is one that people meet. */
export function reasonOf(cause: unknown): string {
  const code = systemCodeOf(cause) ?? String(cause);
  return code === "ENOENT" ? "it does not exist" : code === "EACCES" ? "permission denied" : code;
}
