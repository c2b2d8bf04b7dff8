// The commands that make a path trustworthy, and the advice for a directory that is not the product's own. A command that
// doctor prints is run as root, so it never names a directory that other programs use too.
import type { Stats } from "node:fs";
import { shellPath } from "./look.ts";

/** The commands that leave a path to root only; what is right already is not changed. */
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
