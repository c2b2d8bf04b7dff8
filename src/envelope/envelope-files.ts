// The session directories in the state directory. Each container's directory holds its newest envelope with program and
// report, and numbered subdirectories with its last envelopes. Only the daemon's user can read them.
import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { invariant } from "../core/invariant.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { reasonOf } from "../file/read-file.ts";
import { replaceFile } from "../file/replace-file.ts";
import { VERIFICATION_FILES } from "../rulespec/verification-files.ts";

/** How many envelopes of a container are kept. */
export const ENVELOPES_KEPT = 20;

/** How many session directories are kept, those of ended containers included: as many as there may be sessions at a time. */
export const DIRECTORIES_KEPT = 4_096;

/** The directory of session directories in the state directory. */
export const SESSIONS_DIR = "sessions";

/** The form of container ids, in every container source. */
const CONTAINER_ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,127}$/;

/** The names of the files of one envelope. */
export type VerificationFile = keyof typeof VERIFICATION_FILES;

/** The session directory of a container. */
export function sessionDirectory(stateDir: string, containerId: string): string {
  invariant(CONTAINER_ID.test(containerId), "a container's id can be the name of a directory");
  return join(stateDir, SESSIONS_DIR, containerId);
}

/** Whether a container has a session directory. */
export function hasSession(stateDir: string, containerId: string): boolean {
  return existsSync(sessionDirectory(stateDir, containerId));
}

/** The containers that have a session directory. */
export function listSessions(stateDir: string): readonly string[] {
  return namesIn(join(stateDir, SESSIONS_DIR)).filter((name) => CONTAINER_ID.test(name));
}

/** The files of one envelope, which is the newest of its container. */
export class EnvelopePlace {
  readonly #dir: string;
  readonly #numbered: string;

  private constructor(dir: string, number: number) {
    this.#dir = dir;
    this.#numbered = join(dir, String(number).padStart(NUMBER_DIGITS, "0"));
  }

  /** Makes the directory for a container's next envelope and removes directories over the limits. */
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
      // The files of the envelope before must not pass for those of this one.
      for (const name of Object.values(VERIFICATION_FILES)) rmSync(join(dir, name), { force: true });
      return ok(place);
    } catch (cause) {
      return err(storeProblem(`cannot use ${quote(dir)}: ${reasonOf(cause)}`));
    }
  }

  /** Writes one file of the envelope, in its numbered directory and as the newest. */
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

/** Digits of a number. Names then sort like numbers, and at ten envelopes a minute they last for centuries. */
const NUMBER_DIGITS = 9;

function numbersIn(dir: string): readonly string[] {
  return namesIn(dir).filter((name) => /^[0-9]+$/.test(name)).sort();
}

// The ids of ended containers never come back. The directories that have been unused longest go first.
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
    return []; // A missing directory has no names; a write to it will report any other error.
  }
}
