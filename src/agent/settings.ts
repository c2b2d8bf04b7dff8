// The two variables that the shim reads. A malformed one is an error and never the default: a limit that silently is
// another, or a verdict in another form, is noticed too late.
import type { Environment } from "../command/command.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** What the variables say. */
export type Settings = {
  /** How long the daemon may take, from the dialling to the verdict. */
  readonly timeoutMs: number;
  /** Whether a denial is written as the whole verdict in JSON. */
  readonly verdictAsJson: boolean;
};

/** The longest time to wait: longer than any evaluation, shorter than anybody's patience. */
export const TIMEOUT_MAX_SECONDS = 300;

/** Above the daemon's own limit for an evaluation, which it answers itself (S005-FR-014). */
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
