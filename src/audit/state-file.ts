// Files of the state directory that are replaced as a whole: written aside, synced and renamed, so that a kill or a loss of
// power leaves the old file or the new one, never half of either.
import { constants } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Writes what is to become the file beside it, and syncs it; rejects with what the system says. */
export async function writeAside(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(asideOf(path), CREATE, 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Puts what was written aside in the file's place, for good; rejects with what the system says. */
export async function publishAside(path: string): Promise<void> {
  await rename(asideOf(path), path);
  const directory = await open(dirname(path), constants.O_RDONLY);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

function asideOf(path: string): string {
  return `${path}.new`;
}
