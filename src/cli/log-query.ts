// Flags of `outcall log` -> which records are wanted.
import type { Query } from "../audit/read.ts";
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import { STATE_DIR_FLAG } from "./log-place.ts";
import type { Clock } from "../core/clock.ts";
import { type Problem, problem } from "../core/problem.ts";
import { AGE_UNITS, parseDuration } from "../core/quantity.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** The flags of `outcall log`. */
export const LOG_FLAGS = defineFlags({
  follow: { short: "f", summary: "keep printing new records, like tail -f" },
  since: { value: "age", summary: "records of the last 10m, 1h or 2d, or since a time in ISO 8601" },
  container: {
    value: "name",
    summary: "records of the container with this name or id",
    completes: { listed: "containers" },
  },
  decision: { value: "decision", summary: "decisions of this kind", choices: ["allow", "block"] },
  rule: {
    value: "id",
    summary: "decisions by this rule; default-block where no rule matched",
    completes: { listed: "rules" },
  },
  ...STATE_DIR_FLAG,
});

/** The records that the command line asks for. */
export function queryOf(plan: CliPlan<typeof LOG_FLAGS>, clock: Clock): Result<Query, Problem> {
  const { since, container, decision, rule } = plan.flags;
  const sinceMs = since === undefined ? null : sinceOf(since, clock);
  if (since !== undefined && sinceMs === null) {
    return err(
      problem("command.usage", `--since is an age such as 10m, 1h or 2d, or a time in ISO 8601, not ${quote(since)}`),
    );
  }
  return ok({ sinceMs, container: container ?? null, decision: decision ?? null, rule: rule ?? null });
}

function sinceOf(since: string, clock: Clock): number | null {
  const ageMs = parseDuration(since, AGE_UNITS);
  if (ageMs !== null) return clock.now().getTime() - ageMs;
  // A day alone or with its time, which without a zone is meant in UTC as in everything that is printed.
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(since);
  if (match === null) return null;
  const at = Date.parse(`${match[1]}T${match[2] ?? "00:00"}${match[3] ?? "Z"}`);
  return Number.isNaN(at) || !isDay(match[1] ?? "") ? null : at;
}

// The runtimes take February 30 for a day of March.
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
