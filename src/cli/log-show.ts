// `outcall log show <record>`: one record whole, by its number or by the id that an agent was given.
import type { DatabaseSync } from "node:sqlite";
import { openRecords } from "../audit/open-log.ts";
import { rangeOf, readRecord } from "../audit/read.ts";
import { findRecordNumber, isRecordId } from "../audit/record-id.ts";
import type { ChainedRow } from "../audit/row.ts";
import { systemClock } from "../core/clock.ts";
import { formatJson, type Json, type JsonObject } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { formatAge } from "./duration.ts";
import { type Cell, formatPairs, type Look, lookOf } from "./layout.ts";
import { findStateDir, STATE_DIR_FLAG } from "./log-place.ts";
import { attempt, bodyOf, formatJsonRecord } from "./log-record.ts";
import { requestOf, textOf, whatCell, whoseOf } from "./log-text.ts";

/** The command. */
export const logShow = cliCommand({
  command: {
    usage: "log show <record>",
    summary: "show one record in full",
    details: "A record is named by its number, or by the id rec-... that an agent was given.",
    flags: STATE_DIR_FLAG,
    examples: [["outcall log show 42", "show what was asked, what decided, and the context"]],
  },
  run: async (plan, io) => {
    const asked = plan.arguments.record;
    const stateDir = await findStateDir(plan);
    if (!stateDir.ok) return fail(io, stateDir.error);
    const seq = numberOf(asked, stateDir.value);
    if (!seq.ok) return fail(io, seq.error);
    const db = openRecords(stateDir.value);
    if (!db.ok) return fail(io, db.error);
    try {
      const row = find(db.value, seq.value);
      if (!row.ok) return fail(io, row.error);
      const body = bodyOf(row.value);
      if (!body.ok) return fail(io, body.error);
      const isJson = plan.flags.json;
      io.stdout(
        isJson ? formatJsonRecord(row.value, body.value) : formatRecord(row.value, body.value, lookOf(plan, io)),
      );
      return 0;
    } finally {
      db.value.close();
    }
  },
});

/** The number of a record. */
const NUMBER = /^[1-9][0-9]{0,14}$/;

function numberOf(asked: string, stateDir: string): Result<number, Problem> {
  if (NUMBER.test(asked)) return ok(Number(asked));
  if (isRecordId(asked)) {
    const seq = findRecordNumber(stateDir, asked);
    if (!seq.ok) return seq;
    return seq.value === null
      ? err(problem("command.input", `no record ${quote(asked)} in the decision log`))
      : ok(seq.value);
  }
  const message = `log show: a record is named by its number or by its id rec-..., not ${quote(asked)}`;
  return err(problem("command.usage", message, { hint: "outcall log shows the numbers" }));
}

function find(db: DatabaseSync, seq: number): Result<ChainedRow, Problem> {
  const row = attempt(() => readRecord(db, seq));
  if (!row.ok) return row;
  if (row.value !== null) return ok(row.value);
  const range = attempt(() => rangeOf(db));
  if (!range.ok) return range;
  const { first, last } = range.value;
  const held = last === 0 ? "the log is empty" : `the log holds records from ${first} to ${last}`;
  return err(problem("command.input", `no record ${seq}: ${held}`));
}

/** Members of a body that have lines of their own. */
const SHOWN: ReadonlySet<string> = new Set(["source", "file", "reason", "context"]);

function formatRecord(row: ChainedRow, body: JsonObject, look: Look): string {
  const { seq, at, container, rule, audit, previous, hash } = row;
  const time = new Date(at).toISOString();
  const whose = whoseOf(row, body);
  const file = textOf(body["file"]);
  const reason = textOf(body["reason"]);
  const { context } = body;
  const pairs: readonly (readonly [label: string, value: Cell])[] = [
    ["Record", String(seq)],
    ["Time", `${time} (${formatAge(time, systemClock.now())} ago)`],
    ["What", whatCell(row, body)],
    ["Container", container === null || container === whose ? whose : `${whose} (${container})`],
    ["Rule", rule === null ? "-" : `${rule}${file === "" ? "" : ` of ${file}`}`],
    ...(reason === "" ? [] : [["Reason", reason] as const]),
    ["Request", requestOf(row, body)],
    ["Source", textOf(body["source"])],
    ...Object.entries(body).flatMap(([name, value]) => SHOWN.has(name) || isEmpty(value) ? [] : [pairOf(name, value)]),
    ...(context === undefined ? [] : [pairOf("context", context)]),
    ["Audit record", audit ? "yes" : "no"],
    ["Hash", hash],
    ["Previous hash", previous],
  ];
  return formatPairs(pairs, look);
}

function isEmpty(value: Json): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Labels of members whose own names would be unclear. */
const LABELS: ReadonlyMap<string, string> = new Map([["digest", "Rule set"], ["duration_ms", "Milliseconds"]]);

function pairOf(name: string, value: Json): readonly [label: string, value: string] {
  const label = LABELS.get(name) ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
  return [label, typeof value === "object" && value !== null ? formatJson(value, 2) : textOf(value)];
}
