// The file that an approval writes to the rules directory. It is written under another name, synced and renamed, so that a
// kill leaves either no file or the whole file. All steps use one descriptor of the directory, so a swapped path has no
// effect. The mode is 0600, because the loader refuses files that others may write.
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

/** Whether the name is free in the directory. */
export function isFree(rulesDir: string, name: string): Result<boolean, Problem> {
  return below(rulesDir, `look for ${quote(name)} in`, (dir) => !exists(join(dir, name)));
}

/** Writes the file; returns false if the name is in use. */
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

/** Removes the file of a request and its temporary file. A file of the same name that is not the request's stays. */
export function removeApproved(rulesDir: string, name: string, requestId: string): Result<boolean, Problem> {
  return below(rulesDir, `remove ${quote(name)} from`, (dir, fd) => {
    const isThere = exists(join(dir, name)) && isOf(join(dir, name), requestId);
    if (isThere) rmSync(join(dir, name));
    rmSync(join(dir, asideName(name)), { force: true });
    fsyncSync(fd);
    return isThere;
  });
}

/** The first line of a request's file, which identifies it. */
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

// The name does not end in .yaml, so it is never loaded; it follows from the file's name, so recovery after a kill finds it.
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
