// Flags of `outcall log` -> a query for records.
import type { Query } from "../audit/read.ts";
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import type { Clock } from "../core/clock.ts";
import { DECISIONS } from "../core/decision.ts";
import { type Problem, problem } from "../core/problem.ts";
import { AGE_UNITS, parseDuration } from "../core/quantity.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { STATE_DIR_FLAG } from "./log-place.ts";

/** The records that a command line asks for. */
export type LogQuery = {
  readonly query: Query;
  /** At most this many records, the newest ones; null means all. */
  readonly count: number | null;
};

/** How many records a terminal shows by default. */
const TERMINAL_COUNT = 20;

/** The flags of `outcall log`. */
export const LOG_FLAGS = defineFlags({
  follow: { short: "f", summary: "keep printing new records, like tail -f" },
  lines: {
    short: "n",
    value: "count",
    summary: "show this many of the last records, or all",
    otherwise: `${TERMINAL_COUNT} on a terminal, all in a pipe`,
  },
  since: { value: "age", summary: "records of the last 10m, 1h or 2d, or since a time in ISO 8601" },
  until: { value: "age", summary: "records up to an age or a time" },
  container: {
    value: "name",
    summary: "records of the container with this name or id",
    completes: { listed: "containers" },
  },
  decision: { value: "decision", summary: "decisions of this kind", choices: DECISIONS },
  rule: {
    value: "id",
    summary: "decisions by this rule; default-block where no rule matched",
    completes: { listed: "rules" },
  },
  "what-if": { summary: "also show what rule evaluate and rule test asked the daemon" },
  ...STATE_DIR_FLAG,
});

/** A plan of `outcall log`. */
export type LogPlan = CliPlan<typeof LOG_FLAGS>;

/** The largest number that `--lines` accepts. */
const LINES_LIMIT = 1_000_000;

/** Reads the flags into a query. */
export function queryOf(plan: LogPlan, clock: Clock, isTerminal: boolean): Result<LogQuery, Problem> {
  const since = timeOf(plan, "since", clock);
  if (!since.ok) return since;
  const until = timeOf(plan, "until", clock);
  if (!until.ok) return until;
  const lines = linesOf(plan.flags.lines);
  if (!lines.ok) return lines;
  if (until.value !== null && plan.flags.follow) {
    return err(problem("command.usage", "--follow and --until exclude each other"));
  }
  if (since.value !== null && until.value !== null && since.value >= until.value) {
    return err(problem("command.usage", "--since is not before --until"));
  }
  // A time range already limits the records.
  const isOpen = since.value === null && until.value === null;
  const { container, decision, rule } = plan.flags;
  return ok({
    query: {
      sinceMs: since.value,
      untilMs: until.value,
      container: container ?? null,
      decision: decision ?? null,
      rule: rule ?? null,
      whatIfs: plan.flags["what-if"],
    },
    count: lines.value ?? (isTerminal && isOpen ? TERMINAL_COUNT : null),
  });
}

function linesOf(text: string | undefined): Result<number | null, Problem> {
  if (text === undefined) return ok(null);
  if (text === "all") return ok(Infinity);
  const count = /^[0-9]{1,7}$/.test(text) ? Number(text) : NaN;
  if (count <= LINES_LIMIT) return ok(count);
  const message = `--lines is a number up to ${LINES_LIMIT}, or all, not ${quote(text)}`;
  return err(problem("command.usage", message));
}

function timeOf(plan: LogPlan, name: "since" | "until", clock: Clock): Result<number | null, Problem> {
  const text = plan.flags[name];
  if (text === undefined) return ok(null);
  const at = parseTime(text, clock);
  if (at !== null) return ok(at);
  return err(
    problem("command.usage", `--${name} is an age such as 10m, 1h or 2d, or a time in ISO 8601, not ${quote(text)}`),
  );
}

function parseTime(text: string, clock: Clock): number | null {
  const ageMs = parseDuration(text, AGE_UNITS);
  if (ageMs !== null) return clock.now().getTime() - ageMs;
  // A day, or a day and a time; without a zone it is UTC, as in all output to a pipe.
  const match = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  if (match === null) return null;
  const at = Date.parse(`${match[1]}T${match[2] ?? "00:00"}${match[3] ?? "Z"}`);
  return Number.isNaN(at) || !isDay(match[1] ?? "") ? null : at;
}

// The runtimes read February 30 as a day of March.
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
