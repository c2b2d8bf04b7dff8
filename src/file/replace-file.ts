// Bytes -> file, atomically: written to a temporary file, synced and renamed. A kill at any moment leaves the old file or the
// new one.
import { randomBytes } from "node:crypto";
import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { syncDirectory, writeWhole } from "./durable.ts";
import { reasonOf } from "./read-file.ts";

/** Replaces or creates a file; the error is the reason in words. */
export function replaceFile(path: string, content: string | Uint8Array, mode: number): Result<null, string> {
  const aside = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    writeSynced(aside, content, mode);
    renameSync(aside, path);
    syncDirectory(dirname(path));
    return ok(null);
  } catch (cause) {
    rmSync(aside, { force: true });
    return err(`cannot write ${quote(path)}: ${reasonOf(cause)}`);
  }
}

function writeSynced(path: string, content: string | Uint8Array, mode: number): void {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode);
  try {
    writeWhole(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
