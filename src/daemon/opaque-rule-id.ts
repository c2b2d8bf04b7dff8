// Rule id -> what an agent may see of it: a keyed digest, the same for a rule over restarts, from which nothing can be read
// or guessed (S004-FR-007.b). The key is made at first start and only the daemon can read it.
import { createHmac, randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { whyUntrusted } from "../rule/trust.ts";

/** Bytes of the key: as many as the digest has. */
const KEY_BYTES = 32;

/** The file of the key in the state directory. */
const KEY_FILE = "rule-id.key";

/** The key of opaque rule ids. */
export type RuleIdKey = { readonly bytes: Uint8Array };

/** The opaque form of a rule's id: `rule-` and 12 hex characters. */
export function opaqueRuleId(key: RuleIdKey, id: string): string {
  return `rule-${createHmac("sha256", key.bytes).update(id).digest("hex").slice(0, 12)}`;
}

/** Reads the key of a state directory, which is there and locked, or makes it on the first start. */
export function loadRuleIdKey(stateDir: string): Result<RuleIdKey, Problem> {
  const path = join(stateDir, KEY_FILE);
  try {
    return readKey(path) ?? makeKey(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return err(problem("daemon.configuration", `cannot keep a key in ${quote(stateDir)}: ${quote(reason)}`, { cause }));
  }
}

// Null where there is none yet. A key that others may read or that is cut short is an error, never replaced silently.
function readKey(path: string): Result<RuleIdKey, Problem> | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return null;
    throw cause;
  }
  try {
    const stats = fstatSync(fd);
    const bytes = stats.isFile() ? readFileSync(fd) : Buffer.alloc(0);
    const whole = bytes.length === KEY_BYTES && (stats.mode & 0o077) === 0 && whyUntrusted(stats) === null;
    if (!whole) {
      return err(problem("daemon.configuration", `${quote(path)} is not a key of our own, of mode 0600 and 32 bytes`));
    }
    return ok({ bytes });
  } finally {
    closeSync(fd);
  }
}

// Written aside, synced and renamed, so that a kill leaves either no key or a whole one.
function makeKey(path: string): Result<RuleIdKey, Problem> {
  const bytes = randomBytes(KEY_BYTES);
  const aside = `${path}.${randomBytes(6).toString("hex")}.new`;
  const fd = openSync(aside, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    writeSync(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(aside, path);
  const directory = openSync(dirname(path), constants.O_RDONLY);
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
  return ok({ bytes });
}
