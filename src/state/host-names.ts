// The host's own lists of users and groups (passwd(5), group(5)): a uid's name, a group name's gid.
import { readFileSync } from "node:fs";

/** The name of a user, or null if the list has none. Records keep the uid beside the name. */
export function userName(uid: number, file = "/etc/passwd"): string | null {
  for (const [name, , id] of readEntries(file)) {
    if (id === String(uid) && name !== undefined && name !== "") return name;
  }
  return null;
}

/** The gid of a group, or null if the list has no group of this name. */
export function groupId(name: string, file = "/etc/group"): number | null {
  // An empty name would find a malformed line.
  const [, , id = ""] = name === "" ? [] : readEntries(file).find(([each]) => each === name) ?? [];
  return /^(0|[1-9][0-9]{0,9})$/.test(id) ? Number(id) : null;
}

function readEntries(file: string): readonly (readonly string[])[] {
  try {
    return readFileSync(file, "utf8").split("\n").map((line) => line.split(":"));
  } catch {
    return []; // A host without the list has no names.
  }
}
