// The directory of a socket: made where it is missing, left as it is where it stands.
import { mkdirSync } from "node:fs";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { systemCodeOf } from "../core/thrown.ts";

/** Makes a directory with a mode, unless there is one. */
export function makeDirectory(path: string, mode: number): Result<null, Problem> {
  try {
    mkdirSync(path, { mode });
  } catch (cause) {
    const code = systemCodeOf(cause);
    if (code === "EEXIST") return ok(null);
    return err(
      problem("daemon.socket-bind", `cannot make directory ${quote(path)}: ${quote(String(code))}`, { cause }),
    );
  }
  return ok(null);
}
