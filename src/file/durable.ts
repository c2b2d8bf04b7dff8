// What makes a written file last: all of its bytes, and its name in the directory.
import { closeSync, constants, fsyncSync, openSync, writeSync } from "node:fs";

/** Writes all of the bytes, however few the system takes at once. */
export function writeWhole(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}

/** Makes the names in a directory last: that of a new file is as durable as what is in it only then. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
