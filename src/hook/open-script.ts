// Path of a script in the rules directory -> its descriptor. Each part of the path is opened below the one before, never
// through a symbolic link, and checked by its descriptor. The kernel then runs that descriptor, so no one can replace the
// script between the check and the run.
import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { systemCodeOf } from "../core/thrown.ts";

/** Opens a script for one run; the caller closes the descriptor. The error is why the script cannot be run. */
export function openScript(dir: string, script: string): Result<number, string> {
  const parts = script.split("/");
  // Such paths are refused when rules load. The check here makes the function safe by itself.
  if (parts.some((part) => part === "" || part === "..")) return failed(script, "leaves the rules directory");
  const root = open(dir, FOLLOW);
  if (!root.ok) return err(`rules directory ${quote(dir)} ${root.error}`);
  let fd = root.value;
  for (const [index, part] of parts.entries()) {
    // This works like openat(2): the link in /proc leads to the open directory, even if its path has changed.
    const next = open(`/proc/self/fd/${fd}/${part}`, constants.O_NOFOLLOW);
    closeSync(fd);
    if (!next.ok) return failed(script, next.error);
    fd = next.value;
    const fault = faultOf(fstatSync(fd), index === parts.length - 1 ? "script" : "directory");
    if (fault === null) continue;
    closeSync(fd);
    return failed(script, fault);
  }
  return ok(fd);
}

// Only the path of the rules directory itself may contain a symbolic link, as when rules are loaded.
const FOLLOW = 0;

// O_NONBLOCK, so that a FIFO in place of the script cannot block the daemon.
function open(path: string, flag: number): Result<number, string> {
  try {
    return ok(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flag));
  } catch (cause) {
    const code = systemCodeOf(cause) ?? String(cause);
    return err(REASONS.get(code) ?? `cannot be opened: ${quote(code)}`);
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "does not exist"],
  ["ENOTDIR", "does not exist"],
  ["ELOOP", "goes through a symbolic link"],
  ["EACCES", "cannot be opened: permission denied"],
]);

// A directory that others may write is as unsafe as a script that others may write: they could replace the script.
function faultOf(stats: Stats, wanted: "script" | "directory"): string | null {
  if (wanted === "directory" && !stats.isDirectory()) return "does not exist";
  if (wanted === "script" && !stats.isFile()) return "is not a regular file";
  const what = wanted === "script" ? "" : "is in a directory that ";
  const user = process.getuid?.() ?? 0;
  if (stats.uid !== 0 && stats.uid !== user) {
    return `${what}is owned by uid ${stats.uid}, not by root or the daemon's user`;
  }
  if ((stats.mode & (constants.S_IWGRP | constants.S_IWOTH)) !== 0) return `${what}may be written by group or others`;
  const executable = constants.S_IXUSR | constants.S_IXGRP | constants.S_IXOTH;
  return wanted === "script" && (stats.mode & executable) === 0 ? "is not executable" : null;
}

function failed(script: string, reason: string): Result<never, string> {
  return err(`script ${quote(script)} ${reason}`);
}
