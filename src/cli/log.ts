// `outcall log`: the decision log, oldest record first. It reads the files themselves, a page at a time, so it works without
// a daemon and never delays a running one.
import type { DatabaseSync } from "node:sqlite";
import { openRecords } from "../audit/open-log.ts";
import { PAGE_RECORDS, readPage, startOf, type Tail, tailOf } from "../audit/read.ts";
import type { ChainedRow } from "../audit/row.ts";
import { systemClock } from "../core/clock.ts";
import type { JsonObject } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { cliCommand, fail } from "./cli-command.ts";
import type { Io } from "./io.ts";
import { type Cell, columnWidths, formatRow, type Look, lookOf } from "./layout.ts";
import { findUnknown } from "./log-known.ts";
import { findStateDir } from "./log-place.ts";
import { LOG_FLAGS, type LogPlan, type LogQuery, queryOf } from "./log-query.ts";
import { attempt, bodyOf, formatJsonRecord } from "./log-record.ts";
import { isoTime, LOG_HEADINGS, LOG_WIDTHS, recordCells, shortTime } from "./log-text.ts";

/** How often `--follow` looks for new records, in milliseconds. */
const FOLLOW_MS = 200;

/** The command. */
export const log = cliCommand({
  command: {
    usage: "log",
    summary: "show the decision log, oldest record first",
    flags: LOG_FLAGS,
    examples: [
      ["outcall log -f", "watch decisions as they are made"],
      ["outcall log -n 100", "show the last 100 records"],
      ["outcall log --since 1h --decision block", "show what was blocked in the last hour"],
      ["outcall log --container web --rule default-block", "show what no rule allowed in one container"],
      ["outcall log --json --since 1d", "print one JSON object a line, for a script"],
    ],
  },
  run: async (plan, io) => {
    const wanted = queryOf(plan, systemClock, io.isTerminal.stdout);
    if (!wanted.ok) return fail(io, wanted.error);
    const stateDir = await findStateDir(plan);
    if (!stateDir.ok) return fail(io, stateDir.error);
    const db = openRecords(stateDir.value);
    if (!db.ok) return fail(io, db.error);
    try {
      const unknown = await findUnknown(db.value, wanted.value.query, plan);
      if (unknown !== null) return fail(io, unknown);
      const ended = await print(db.value, wanted.value, plan, io);
      return ended.ok ? 0 : fail(io, ended.error);
    } finally {
      db.value.close();
    }
  },
});

async function print(db: DatabaseSync, wanted: LogQuery, plan: LogPlan, io: Io): Promise<Result<null, Problem>> {
  const { query } = wanted;
  const follow = plan.flags.follow;
  const printer = plan.flags.json ? jsonPrinter(io) : tablePrinter(io, lookOf(plan, io), follow);
  const start = attempt(() => beginOf(db, wanted));
  if (!start.ok) return start;
  const { afterSeq, hasEarlier } = start.value;
  if (hasEarlier) printer.sayEarlier();
  for (let last = afterSeq;;) {
    const page = attempt(() => readPage(db, query, last));
    if (!page.ok) return page;
    const printed = printer.page(page.value);
    if (!printed.ok) return printed;
    last = page.value.at(-1)?.seq ?? last;
    const isAll = page.value.length < PAGE_RECORDS;
    if (isAll && !follow) {
      printer.end();
      return ok(null);
    }
    await io.drained();
    if (isAll) await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
  }
}

function beginOf(db: DatabaseSync, { query, count }: LogQuery): Tail {
  if (count === null || count === Infinity) return { afterSeq: startOf(db, query), hasEarlier: false };
  return tailOf(db, query, count);
}

/** Prints pages of records in one form. */
type Printer = {
  /** Prints that older records are not shown. */
  readonly sayEarlier: () => void;
  readonly page: (rows: readonly ChainedRow[]) => Result<null, Problem>;
  /** Ends the output; prints `no records` if there were none. */
  readonly end: () => void;
};

function jsonPrinter(io: Io): Printer {
  const page = printRows((row, body) => io.stdout(formatJsonRecord(row, body)));
  return { sayEarlier: () => {}, page, end: () => {} };
}

// On a terminal the first page decides the widths of the columns. A pipe gets every cell whole.
function tablePrinter(io: Io, look: Look, follow: boolean): Printer {
  const formatTime = look.columns === null ? isoTime : (at: Date) => shortTime(at, systemClock.now());
  let widths: readonly number[] | null = null;
  const begin = (rows: readonly (readonly Cell[])[]): readonly number[] => {
    const fitted = look.columns === null ? LOG_WIDTHS : columnWidths([LOG_HEADINGS, ...rows], look);
    io.stdout(formatRow(LOG_HEADINGS, fitted, look));
    return fitted;
  };
  return {
    sayEarlier: () => {
      if (look.columns !== null) io.stdout(`${look.paint("older records are not shown: -n all", "dim")}\n`);
    },
    page: (rows) => {
      const cells: (readonly Cell[])[] = [];
      const read = printRows((row, body) => void cells.push(recordCells(row, body, formatTime)))(rows);
      if (widths === null && (cells.length > 0 || follow)) widths = begin(cells);
      for (const row of cells) io.stdout(formatRow(row, widths ?? LOG_WIDTHS, look));
      return read;
    },
    end: () => {
      if (widths === null) io.stdout("no records\n");
    },
  };
}

// Stops at the first record that was changed.
function printRows(
  print: (row: ChainedRow, body: JsonObject) => void,
): (rows: readonly ChainedRow[]) => Result<null, Problem> {
  return (rows) => {
    for (const row of rows) {
      const body = bodyOf(row);
      if (!body.ok) return body;
      print(row, body.value);
    }
    return ok(null);
  };
}
