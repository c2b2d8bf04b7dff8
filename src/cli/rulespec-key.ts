// `--key-file` -> the key of stamps, for verification without a daemon.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readFile } from "../file/read-file.ts";

/** Longest key, in bytes; a longer file is probably not a key. */
const KEY_LIMIT_BYTES = 4_096;

/** Reads the key; null if no file is named. */
export function readKeyFile(path: string | undefined): Result<Uint8Array | null, Problem> {
  if (path === undefined) return ok(null);
  const bytes = readFile({ path, limitBytes: KEY_LIMIT_BYTES });
  if (!bytes.ok) return err(problem("command.input", bytes.error.message));
  const { length } = bytes.value;
  if (length > 0 && length <= KEY_LIMIT_BYTES) return ok(bytes.value);
  return err(problem("command.input", `${quote(path)} is not a key: a key has 1 to ${KEY_LIMIT_BYTES} bytes`));
}
