// Whether a file or directory can be relied on: what others may change is no rule, no script and no key.
import type { Stats } from "node:fs";

/** Why a file or directory may not be relied on, or null: others than root and this process's user could change it. */
export function whyUntrusted(stats: Pick<Stats, "uid" | "mode">): string | null {
  const user = process.getuid?.() ?? 0;
  if (stats.uid !== 0 && stats.uid !== user) return `is owned by uid ${stats.uid}, not by root or the daemon's user`;
  if ((stats.mode & 0o022) !== 0) {
    return `may be written by group or others (mode ${(stats.mode & 0o7777).toString(8)})`;
  }
  return null;
}
