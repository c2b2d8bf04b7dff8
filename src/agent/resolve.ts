// Program as named -> the absolute path that is asked about and run. The search is execvp's, except that the shim itself is
// passed over: a link to it early in PATH must find the program behind it.
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** Where to look. */
export type Search = {
  /** The value of PATH, where it is set. */
  readonly path: string | undefined;
  readonly workingDirectory: string;
  /** The shim's own file. */
  readonly shim: string;
};

/** The program's absolute path: found in PATH, or for a name with a slash where it says. */
export function resolveProgram(name: string, search: Search): Result<string, Problem> {
  if (name.includes("/")) {
    const path = absolute(search.workingDirectory, name);
    if (path !== undefined && isExecutable(path)) return ok(path);
    const why = path === undefined || fileOf(path) === undefined ? "there is no such file" : "it is no executable file";
    return err(problem("agent.program", `cannot run ${quote(name)}: ${why}`));
  }
  const missing = problem("agent.program", `cannot find program ${quote(name)} in PATH`);
  if (name === "" || search.path === undefined) return err(missing);
  const shim = fileOf(search.shim);
  if (shim === undefined) return err(problem("agent.program", "cannot find the shim's own file"));
  for (const directory of search.path.split(":")) {
    // An empty part of PATH is the working directory.
    const path = absolute(search.workingDirectory, `${directory === "" ? "." : directory}/${name}`);
    if (path === undefined || !isExecutable(path)) continue;
    const file = fileOf(path);
    if (file !== undefined && file.device === shim.device && file.inode === shim.inode) continue;
    return ok(path);
  }
  return err(missing);
}

// Behind a link `..` is not what the text says, and a rule that sees `..` sees nothing: such a path is given as the kernel
// sees its directory. The last part stays as named, since one file may be many programs.
function absolute(workingDirectory: string, path: string): string | undefined {
  const whole = path.startsWith("/") ? path : `${workingDirectory}/${path}`;
  if (!whole.split("/").includes("..")) return resolve(whole);
  try {
    // The other form of this call takes `..` out of the text first.
    return resolve(realpathSync.native(dirname(whole)), basename(whole));
  } catch {
    return undefined; // Its directory cannot be reached, so neither can it.
  }
}

type FileId = { readonly device: bigint; readonly inode: bigint; readonly isFile: boolean };

function fileOf(path: string): FileId | undefined {
  try {
    const found = statSync(path, { bigint: true });
    return { device: found.dev, inode: found.ino, isFile: found.isFile() };
  } catch {
    return undefined; // What cannot be looked at is no candidate.
  }
}

function isExecutable(path: string): boolean {
  if (fileOf(path)?.isFile !== true) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // That is how the answer no is given.
  }
}
