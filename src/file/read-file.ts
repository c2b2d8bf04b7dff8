// Path -> bytes, up to a limit. The file is opened once and judged by its descriptor, so that it cannot be swapped between
// the check and the reading. It is opened without waiting, so that a FIFO cannot block the reader.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { isMissing, systemCodeOf } from "../core/thrown.ts";

/** The file to read, and the requirements for it. */
export type FileToRead = {
  readonly path: string;
  /** The path in messages, if it differs from `path`. */
  readonly shown?: string;
  /** Most bytes. One byte more is read of a longer file, so that the caller can see that it is too long. */
  readonly limitBytes: number;
  /** Says why the file must not be used, or null. */
  readonly judge?: (stats: Stats) => string | null;
};

/** The reason why a file was not read: a kind for programs, and a message that names the file for people. */
export type FileError = {
  readonly kind: "missing" | "unreadable" | "not-regular" | "untrusted";
  readonly message: string;
};

/** Reads a regular file. */
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

// The stated size is only the first size of the buffer; the file may hold more.
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

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EISDIR", "it is a directory"],
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", "it is not a directory"],
]);

/** Describes why a call failed: in words for frequent errors, otherwise by the code. */
export function reasonOf(cause: unknown): string {
  const code = systemCodeOf(cause) ?? String(cause);
  return REASONS.get(code) ?? code;
}
