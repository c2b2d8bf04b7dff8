// A file that the shim sends to the daemon -> its text. Only size and encoding are checked here; the daemon checks the rest.
import { closeSync, openSync, readSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { reasonOf } from "../file/read-file.ts";
import { BODY_LIMIT_BYTES } from "../wire/agent-api.ts";

/** Reads a file, or standard input for `-`; an error if it is larger than a request body may be. */
export function readText(file: string): Result<string, Problem> {
  const name = file === "-" ? "standard input" : quote(file);
  let bytes: Uint8Array;
  try {
    bytes = file === "-" ? readBounded(0) : readFile(file);
  } catch (cause) {
    return err(problem("agent.request", `cannot read ${name}: ${reasonOf(cause)}`, { cause }));
  }
  if (bytes.length > BODY_LIMIT_BYTES) {
    return err(problem("agent.request", `${name} is over ${BODY_LIMIT_BYTES} bytes`));
  }
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    return err(problem("agent.request", `${name} is not UTF-8`, { cause }));
  }
}

function readFile(path: string): Uint8Array {
  const fd = openSync(path, "r");
  try {
    return readBounded(fd);
  } finally {
    closeSync(fd);
  }
}

// Reading stops one byte over the limit, so that an endless device is not read forever.
function readBounded(fd: number): Uint8Array {
  const buffer = new Uint8Array(BODY_LIMIT_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}
