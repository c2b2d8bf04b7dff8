// Files of the state directory that are replaced as a whole: written aside, synced and renamed, so that a kill or a loss of
// power leaves the old file or the new one, never half of either.
import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Writes what is to become the file beside it, and syncs it; throws what the system says. */
export function writeAside(path: string, bytes: Uint8Array): void {
  const fd = openSync(asideOf(path), CREATE, 0o600);
  try {
    writeSync(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Puts what was written aside in the file's place, for good; throws what the system says. */
export function publishAside(path: string): void {
  renameSync(asideOf(path), path);
  syncDirectory(dirname(path));
}

/** Syncs the names in a directory. */
export function syncDirectory(path: string): void {
  const directory = openSync(path, constants.O_RDONLY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

function asideOf(path: string): string {
  return `${path}.new`;
}
