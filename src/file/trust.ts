// Whether a file or directory can be trusted: rules, scripts and keys that other users can change are not used.
import type { Stats } from "node:fs";

type Owned = Pick<Stats, "uid" | "mode">;

/** Says why a file or directory is not trusted, or null: users other than root and this process's user could change it. */
export function whyUntrusted(stats: Owned): string | null {
  if (isOthers(stats)) return `is owned by uid ${stats.uid}, not by root or the daemon's user`;
  if (isWritableByOthers(stats)) {
    return `may be written by group or others (mode ${(stats.mode & 0o7777).toString(8)})`;
  }
  return null;
}

/** Whether another user than root and this process's user owns a file. */
export function isOthers({ uid }: Pick<Owned, "uid">): boolean {
  return uid !== 0 && uid !== (process.getuid?.() ?? 0);
}

/** Whether the group of a file or all users may write it. */
export function isWritableByOthers({ mode }: Pick<Owned, "mode">): boolean {
  return (mode & 0o022) !== 0;
}
