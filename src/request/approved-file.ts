// The file that an approval leaves in the rules directory: written aside, synced and renamed, so that a kill leaves none of it
// or all of it; private to the daemon, as the loader wants its files. All of it happens below one descriptor of the
// directory, whatever its path leads to by then.
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { systemCodeOf } from "../core/thrown.ts";
import { writeWhole } from "../file/durable.ts";

/** Whether the directory has nothing of this name. */
export function isFree(rulesDir: string, name: string): Result<boolean, Problem> {
  return below(rulesDir, `look for ${quote(name)} in`, (dir) => !exists(join(dir, name)));
}

/** Writes the file; false where something of its name is there already. */
export function writeApproved(rulesDir: string, name: string, text: string): Result<boolean, Problem> {
  return below(rulesDir, `write ${quote(name)} to`, (dir, fd) => {
    const aside = join(dir, asideName(name));
    rmSync(aside, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const file = openSync(aside, flags, 0o600);
    try {
      fchmodSync(file, 0o600);
      writeWhole(file, Buffer.from(text));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (exists(join(dir, name))) {
      rmSync(aside);
      return false;
    }
    renameSync(aside, join(dir, name));
    fsyncSync(fd);
    return true;
  });
}

/** Removes the file of a request, and what was written aside for it; a file of that name that is another's stays. */
export function removeApproved(rulesDir: string, name: string, requestId: string): Result<boolean, Problem> {
  return below(rulesDir, `remove ${quote(name)} from`, (dir, fd) => {
    const isThere = exists(join(dir, name)) && isOf(join(dir, name), requestId);
    if (isThere) rmSync(join(dir, name));
    rmSync(join(dir, asideName(name)), { force: true });
    fsyncSync(fd);
    return isThere;
  });
}

/** The first line of a request's file, by which it is known again. */
export function noteOf(requestId: string): string {
  return `# written by outcalld when rule request ${requestId} was approved; without this file its rules are gone\n`;
}

function isOf(path: string, requestId: string): boolean {
  const note = Buffer.from(noteOf(requestId));
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const start = Buffer.alloc(note.length);
    return fstatSync(fd).isFile() && readSync(fd, start) === note.length && start.equals(note);
  } finally {
    closeSync(fd);
  }
}

// No rule file by its name, and known from that of the file, so that whoever cleans up after a kill finds it.
function asideName(name: string): string {
  return `.${name}.new`;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function below<T>(rulesDir: string, what: string, act: (dir: string, fd: number) => T): Result<T, Problem> {
  try {
    const fd = openSync(rulesDir, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      return ok(act(`/proc/self/fd/${fd}`, fd));
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    const reason = systemCodeOf(cause) ?? String(cause);
    const message = `cannot ${what} the rules directory ${quote(rulesDir)}: ${quote(reason)}`;
    return err(problem("request.file", message, { cause }));
  }
}
