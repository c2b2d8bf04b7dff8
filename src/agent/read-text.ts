// A file that the shim is told to hand on -> its text. Nothing is judged here but what no request could carry.
import { closeSync, openSync, readSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { systemCodeOf } from "../core/thrown.ts";
import { BODY_LIMIT_BYTES } from "../wire/agent-api.ts";

/** Reads a file, or standard input for `-`; what is over the limit of a body is not sent to be refused. */
export function readText(file: string): Result<string, Problem> {
  const name = file === "-" ? "standard input" : quote(file);
  let bytes: Uint8Array;
  try {
    bytes = file === "-" ? readBounded(0) : readFile(file);
  } catch (cause) {
    const code = systemCodeOf(cause);
    const reason = code === undefined ? "" : `: ${code}`;
    return err(problem("agent.request", `cannot read ${name}${reason}`, { cause }));
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

// One byte over the limit is enough to know; a device that never ends is not read to its end.
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
