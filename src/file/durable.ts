// Makes a written file durable: all of its bytes, and its name in the directory.
import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";

/** Writes all of the bytes, in as many calls as the system needs. */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

/** Syncs a directory, so that the names of new files in it survive a crash. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
