// Which directories doctor may tell an operator to change, and the commands that make a path trustworthy. A command that
// doctor prints is run as root, so it never names a directory that other programs use too, such as /tmp or a home directory.
import type { Stats } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { DEFAULT_AGENT_SOCKET, DEFAULT_HOST_SOCKET, DEFAULT_RULES_DIR, DEFAULT_STATE_DIR } from "../core/defaults.ts";
import { shellPath } from "./look.ts";

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

/** The commands after which only root can change a path; a command that is not needed is left out. */
export function trustCommands(path: string, { uid, mode }: Pick<Stats, "uid" | "mode">): string {
  const user = process.getuid?.() ?? 0;
  const owner = uid === 0 || uid === user ? [] : [`chown root ${shellPath(path)}`];
  const write = (mode & 0o022) === 0 ? [] : [`chmod go-w ${shellPath(path)}`];
  return [...owner, ...write].join(" && ");
}

/** The advice for a directory that is not the product's own: another path. */
export function otherPath(flag: string, path: string): string {
  return `give outcalld a directory of its own: --${flag} ${shellPath(path)}`;
}
