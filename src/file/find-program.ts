// Program as named -> the absolute path that is asked about and run. The search is that of execvp(3), except that the shim
// itself is skipped: a link to the shim early in PATH must find the program behind it.
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** The settings of a search. */
export type Search = {
  /** The value of PATH, if it is set. */
  readonly path: string | undefined;
  readonly workingDirectory: string;
  /** The file of the shim, which is skipped in all its links; null if there is no shim to skip. */
  readonly shim: string | null;
};

/** The program's absolute path, or why there is none. A name with a slash is a path; any other is looked up in PATH. */
export function findProgram(name: string, search: Search): Result<string, string> {
  if (name.includes("/")) {
    const path = absolute(search.workingDirectory, name);
    if (path !== undefined && isExecutable(path)) return ok(path);
    const why = path === undefined || fileOf(path) === undefined
      ? "there is no such file"
      : "it is not an executable file";
    return err(`cannot run ${quote(name)}: ${why}`);
  }
  const missing = err(`cannot find program ${quote(name)} in PATH`);
  if (name === "" || search.path === undefined) return missing;
  const shim = search.shim === null ? null : fileOf(search.shim);
  if (shim === undefined) return err("cannot find the shim's own file");
  for (const directory of search.path.split(":")) {
    // An empty part of PATH is the working directory.
    const path = absolute(search.workingDirectory, `${directory === "" ? "." : directory}/${name}`);
    if (path === undefined || !isExecutable(path)) continue;
    const file = fileOf(path);
    if (shim !== null && file?.device === shim.device && file.inode === shim.inode) continue;
    return ok(path);
  }
  return missing;
}

// Behind a symbolic link, `..` leads to another directory than the text says, so the kernel resolves the directory of such a
// path. The last part stays as named, because some files are several programs and tell them apart by that name.
function absolute(workingDirectory: string, path: string): string | undefined {
  const whole = path.startsWith("/") ? path : `${workingDirectory}/${path}`;
  if (!whole.split("/").includes("..")) return resolve(whole);
  try {
    // Without `.native`, realpathSync resolves `..` in the text first.
    return resolve(realpathSync.native(dirname(whole)), basename(whole));
  } catch {
    return undefined; // The directory cannot be reached, so the program cannot either.
  }
}

type FileId = { readonly device: bigint; readonly inode: bigint; readonly isFile: boolean };

function fileOf(path: string): FileId | undefined {
  try {
    const found = statSync(path, { bigint: true });
    return { device: found.dev, inode: found.ino, isFile: found.isFile() };
  } catch {
    return undefined; // A file that cannot be looked at is not a candidate.
  }
}

function isExecutable(path: string): boolean {
  if (fileOf(path)?.isFile !== true) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // access(2) answers no by failing.
  }
}
