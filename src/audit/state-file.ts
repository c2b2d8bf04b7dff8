// Files of the state directory that are replaced as a whole: the new file is written beside the old one, synced and renamed. A
// kill or a loss of power leaves the old file or the new one, never a part.
import { constants } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Writes the new file beside the old one and syncs it. Rejects with the system's error. */
export async function writeAside(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(asideOf(path), CREATE, 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Renames the new file to the old one's name and syncs the directory. Rejects with the system's error. */
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
