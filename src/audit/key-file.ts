// The key of the decision log, made at the first start with mode 0600 in the state directory. Three keys are derived from it:
// for digests of contexts, for hashes of records, and for marks of the head and of checkpoints.
import { createHmac, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { isMissing } from "../core/thrown.ts";
import { storeProblem } from "./store-problem.ts";
import { publishAside, writeAside } from "./state-file.ts";

/** Bytes of the key, as many as a digest has. */
const KEY_BYTES = 32;

/** The keys of one decision log. */
export type LogKey = {
  /** For the digests of contexts. */
  readonly contexts: Uint8Array;
  /** For the hashes of records. */
  readonly records: Uint8Array;
  /** For the marks of the head and of checkpoints. */
  readonly marks: Uint8Array;
};

/** Makes the key of a new log. */
export async function makeKey(path: string): Promise<Result<LogKey, Problem>> {
  const bytes = randomBytes(KEY_BYTES);
  try {
    await writeAside(path, bytes);
    await publishAside(path);
  } catch (cause) {
    return err(storeProblem(`cannot write ${quote(path)}`, cause));
  }
  return ok(deriveKeys(bytes));
}

/** Reads the key; null where there is none. A key that other users can read, or of another length, is an error. */
export function readKey(path: string): Result<LogKey | null, Problem> {
  const bytes = readKeyBytes(path);
  if (!bytes.ok) return bytes;
  return ok(bytes.value === null ? null : deriveKeys(bytes.value));
}

/** Reads any key of the state directory; null where there is none, an error as for the log's own. */
export function readKeyBytes(path: string): Result<Uint8Array | null, Problem> {
  const opened = openKey(path);
  if (!opened.ok || opened.value === null) return opened.ok ? ok(null) : opened;
  const fd = opened.value;
  try {
    const stats = fstatSync(fd);
    const bytes = stats.isFile() ? readFileSync(fd) : new Uint8Array();
    const isOwn = stats.uid === 0 || stats.uid === (process.getuid?.() ?? 0);
    if (bytes.length === KEY_BYTES && (stats.mode & 0o077) === 0 && isOwn) return ok(bytes);
    const wanted = `it must have mode 0600 and ${KEY_BYTES} bytes`;
    return err(problem("audit.store", `${quote(path)} is not a valid key file: ${wanted}`));
  } catch (cause) {
    return err(storeProblem(`cannot read ${quote(path)}`, cause));
  } finally {
    closeSync(fd);
  }
}

function openKey(path: string): Result<number | null, Problem> {
  try {
    return ok(openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
  } catch (cause) {
    return isMissing(cause) ? ok(null) : err(storeProblem(`cannot read ${quote(path)}`, cause));
  }
}

function deriveKeys(bytes: Uint8Array): LogKey {
  const derive = (use: string) => createHmac("sha256", bytes).update(use).digest();
  return { contexts: derive("contexts"), records: derive("records"), marks: derive("marks") };
}
