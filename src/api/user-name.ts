// uid -> the name that this host has for it, for records that a person reads; the uid beside it is what counts.
import { readFileSync } from "node:fs";

/** The name in the host's own list of users, or null where it has none (passwd(5)). */
export function userName(uid: number, file = "/etc/passwd"): string | null {
  for (const line of readLines(file)) {
    const [name = "", , id] = line.split(":");
    if (id === String(uid) && name !== "") return name;
  }
  return null;
}

function readLines(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return []; // A host without the list has no names.
  }
}
