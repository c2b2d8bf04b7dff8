// The two variables that the shim reads. A malformed value is an error and never replaced by the default, because another limit
// or another form would be noticed too late.
import type { Environment } from "../command/command.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** The values of the variables. */
export type Settings = {
  /** How long the daemon may take from connecting to the verdict, in milliseconds. */
  readonly timeoutMs: number;
  /** Whether a denial is printed as the whole verdict in JSON. */
  readonly verdictAsJson: boolean;
};

/** The longest time to wait, in seconds: longer than any evaluation. */
export const TIMEOUT_MAX_SECONDS = 300;

/** The default time to wait, in seconds: longer than the daemon's own limit for an evaluation (S005-FR-014). */
export const TIMEOUT_DEFAULT_SECONDS = 30;

/** Reads `OUTCALL_TIMEOUT_SECS` and `OUTCALL_VERDICT`. */
export function readSettings(environment: Environment): Result<Settings, Problem> {
  const seconds = environment["OUTCALL_TIMEOUT_SECS"] ?? `${TIMEOUT_DEFAULT_SECONDS}`;
  if (!/^[1-9][0-9]{0,2}$/.test(seconds) || Number(seconds) > TIMEOUT_MAX_SECONDS) {
    const wanted = `whole seconds from 1 to ${TIMEOUT_MAX_SECONDS}`;
    return err(problem("command.usage", `OUTCALL_TIMEOUT_SECS is ${wanted}, not ${quote(seconds)}`));
  }
  const form = environment["OUTCALL_VERDICT"];
  if (form !== undefined && form !== "json") {
    return err(problem("command.usage", `OUTCALL_VERDICT is json or absent, not ${quote(form)}`));
  }
  return ok({ timeoutMs: Number(seconds) * 1000, verdictAsJson: form === "json" });
}
