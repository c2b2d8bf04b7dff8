// Which directories are the product's own, and which ones other programs and users share. Advice is followed by root, so it
// never changes a shared directory such as /tmp or a home directory.
import type { Stats } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import process from "node:process";
import { DEFAULT_AGENT_SOCKET, DEFAULT_HOST_SOCKET, DEFAULT_RULES_DIR, DEFAULT_STATE_DIR } from "../core/defaults.ts";

/** The directories that the product makes for itself. */
const OWN: ReadonlySet<string> = new Set([
  dirname(DEFAULT_HOST_SOCKET),
  dirname(DEFAULT_AGENT_SOCKET),
  DEFAULT_RULES_DIR,
  dirname(DEFAULT_RULES_DIR),
  DEFAULT_STATE_DIR,
]);

/** Directories whose children each belong to a user or to a part of the system. */
const PARENTS: ReadonlySet<string> = new Set(["/", "/home", "/run", "/usr", "/var"]);

/** The bit that lets many users share one directory, as on /tmp. */
const STICKY = 0o1000;

/** Whether other programs or users keep files in a directory too, as in /tmp, /run or a home directory. */
export function isShared(dir: string, { mode }: Pick<Stats, "mode">, home = process.env["HOME"]): boolean {
  const path = resolve(dir);
  if ((mode & STICKY) !== 0 || isHome(path, home)) return true;
  return !OWN.has(path) && !isNamedOurs(path) && (path === "/" || PARENTS.has(dirname(path)));
}

/** Whether a directory holds the product's files alone: one of its default directories, or one that bears its name. */
export function isOwn(dir: string, stats: Pick<Stats, "mode">, home = process.env["HOME"]): boolean {
  const path = resolve(dir);
  return (OWN.has(path) || isNamedOurs(path)) && !isShared(path, stats, home);
}

function isHome(path: string, home: string | undefined): boolean {
  return dirname(path) === "/home" || (home !== undefined && home !== "" && resolve(home) === path);
}

function isNamedOurs(path: string): boolean {
  return basename(path).startsWith("outcall");
}
