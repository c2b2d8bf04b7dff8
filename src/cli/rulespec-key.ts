// `--key-file` -> the key of stamps, for verifications without a daemon.
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readFile } from "../file/read-file.ts";

/** Longest key: a file that is longer was hardly meant to be one. */
const KEY_LIMIT_BYTES = 4_096;

/** Reads the key; null where none is named. */
export function readKeyFile(path: string | undefined): Result<Uint8Array | null, Problem> {
  if (path === undefined) return ok(null);
  const bytes = readFile({ path, limitBytes: KEY_LIMIT_BYTES });
  if (!bytes.ok) return err(problem("command.input", bytes.error.message));
  const { length } = bytes.value;
  if (length > 0 && length <= KEY_LIMIT_BYTES) return ok(bytes.value);
  return err(problem("command.input", `${quote(path)} is no key: 1 to ${KEY_LIMIT_BYTES} bytes are wanted`));
}
