// Whether a file or directory can be relied on: what others may change is no rule, no script and no key.
import type { Stats } from "node:fs";

type Owned = Pick<Stats, "uid" | "mode">;

/** Why a file or directory may not be relied on, or null: others than root and this process's user could change it. */
export function whyUntrusted(stats: Owned): string | null {
  if (isOthers(stats)) return `is owned by uid ${stats.uid}, not by root or the daemon's user`;
  if (isWritableByOthers(stats)) {
    return `may be written by group or others (mode ${(stats.mode & 0o7777).toString(8)})`;
  }
  return null;
}

/** Whether a file belongs to neither root nor this process's user. */
export function isOthers({ uid }: Pick<Owned, "uid">): boolean {
  return uid !== 0 && uid !== (process.getuid?.() ?? 0);
}

/** Whether its group or everybody may write a file. */
export function isWritableByOthers({ mode }: Pick<Owned, "mode">): boolean {
  return (mode & 0o022) !== 0;
}
