// The session directories of the state directory: for each container the newest envelope with its program and report, and
// the newest ones once more below their numbers. Only the daemon's user may look in.
import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { invariant } from "../core/invariant.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { reasonOf } from "../file/read-file.ts";
import { replaceFile } from "../file/replace-file.ts";
import { VERIFICATION_FILES } from "../rulespec/verification-files.ts";

/** How many envelopes of a container are kept (rulespec.md 6). */
export const ENVELOPES_KEPT = 20;

/** How many containers' directories are kept: as many as have sessions at a time, the ended ones among them. */
export const DIRECTORIES_KEPT = 4_096;

/** The directory of session directories in the state directory. */
export const SESSIONS_DIR = "sessions";

/** What containers' ids are made of, in every source. */
const CONTAINER_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,127}$/;

/** The names of the files of one envelope. */
export type VerificationFile = keyof typeof VERIFICATION_FILES;

/** The session directory of a container. */
export function sessionDirectory(stateDir: string, containerId: string): string {
  invariant(CONTAINER_ID.test(containerId), "a container's id is the name of a directory");
  return join(stateDir, SESSIONS_DIR, containerId);
}

/** Whether anything was kept of a container. */
export function hasSession(stateDir: string, containerId: string): boolean {
  return existsSync(sessionDirectory(stateDir, containerId));
}

/** The containers that have a session directory. */
export function listSessions(stateDir: string): readonly string[] {
  return namesIn(join(stateDir, SESSIONS_DIR)).filter((name) => CONTAINER_ID.test(name));
}

/** The place of one envelope: what is put there is the newest of its container. */
export class EnvelopePlace {
  readonly #dir: string;
  readonly #numbered: string;

  private constructor(dir: string, number: number) {
    this.#dir = dir;
    this.#numbered = join(dir, String(number).padStart(NUMBER_DIGITS, "0"));
  }

  /** Makes the place of a container's next envelope, and room for it. */
  static open(stateDir: string, containerId: string): Result<EnvelopePlace, Problem> {
    const dir = sessionDirectory(stateDir, containerId);
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      removeOldDirectories(stateDir);
      const numbers = numbersIn(dir);
      for (const old of numbers.slice(0, Math.max(0, numbers.length - (ENVELOPES_KEPT - 1)))) {
        rmSync(join(dir, old), { recursive: true });
      }
      const place = new EnvelopePlace(dir, Number(numbers.at(-1) ?? 0) + 1);
      mkdirSync(place.#numbered, { mode: 0o700 });
      // A report of another envelope would be taken for one of this.
      for (const name of Object.values(VERIFICATION_FILES)) rmSync(join(dir, name), { force: true });
      return ok(place);
    } catch (cause) {
      return err(storeProblem(`cannot use ${quote(dir)}: ${reasonOf(cause)}`));
    }
  }

  /** Writes one file of the envelope, below its number and as the newest. */
  put(file: VerificationFile, text: string): Result<null, Problem> {
    const name = VERIFICATION_FILES[file];
    const path = join(this.#numbered, name);
    const written = replaceFile(path, text, 0o600);
    if (!written.ok) return err(storeProblem(written.error));
    const newest = join(this.#dir, name);
    try {
      rmSync(`${newest}.new`, { force: true });
      linkSync(path, `${newest}.new`);
      renameSync(`${newest}.new`, newest);
      return ok(null);
    } catch (cause) {
      return err(storeProblem(`cannot write ${quote(newest)}: ${reasonOf(cause)}`));
    }
  }
}

function storeProblem(message: string): Problem {
  return problem("rulespec.store", message);
}

/** Digits of a number, so that names sort as numbers do for as long as anybody writes ten a minute. */
const NUMBER_DIGITS = 9;

function numbersIn(dir: string): readonly string[] {
  return namesIn(dir).filter((name) => /^[0-9]+$/.test(name)).sort();
}

// Containers come and go, and their ids never come again: the longest unused go first.
function removeOldDirectories(stateDir: string): void {
  const names = listSessions(stateDir);
  if (names.length <= DIRECTORIES_KEPT) return;
  const aged = names.map((name) => ({ name, usedMs: statSync(sessionDirectory(stateDir, name)).mtimeMs }));
  aged.sort((a, b) => a.usedMs - b.usedMs);
  for (const { name } of aged.slice(0, names.length - DIRECTORIES_KEPT)) {
    rmSync(sessionDirectory(stateDir, name), { recursive: true });
  }
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return []; // What is not there has nothing in it; whoever writes there will be told what is wrong.
  }
}
