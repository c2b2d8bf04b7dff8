// Path -> the stats of its file. A path that cannot be looked at gives the reason, which the check then reports.
import { type Stats, statSync } from "node:fs";
import { systemCodeOf } from "../core/thrown.ts";

/** The result of a look at a path: its stats, nothing, or the reason why it is unknown. */
export type Look =
  | { readonly kind: "there"; readonly stats: Stats }
  | { readonly kind: "nothing" }
  | { readonly kind: "hidden"; readonly reason: string };

/** Looks at a path; symbolic links are followed. */
export function lookAt(path: string): Look {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? { kind: "nothing" } : { kind: "there", stats };
  } catch (cause) {
    const code = systemCodeOf(cause) ?? String(cause);
    return { kind: "hidden", reason: code === "EACCES" ? "permission denied" : code };
  }
}

/** The mode of a file in octal, for example `0755`. */
export function modeOf({ mode }: Pick<Stats, "mode">): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

/** A path quoted for a shell, where that is needed. */
export function shellPath(path: string): string {
  return /^[\w./@:+,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
