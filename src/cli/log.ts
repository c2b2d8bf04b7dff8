// `outcall log`: the decision log, oldest record first (product.md 2). It reads the files themselves, a page at a time, so it
// works without a daemon and never holds a running one up.
import type { DatabaseSync } from "node:sqlite";
import { openRecords } from "../audit/open-log.ts";
import { PAGE_RECORDS, type Query, readPage, startOf } from "../audit/read.ts";
import type { ChainedRow } from "../audit/row.ts";
import { systemClock } from "../core/clock.ts";
import { formatJson, isJsonObject, type JsonObject } from "../core/json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { messageOf } from "../core/thrown.ts";
import { cliCommand, fail } from "./cli-command.ts";
import type { Io } from "./io.ts";
import { findStateDir } from "./log-place.ts";
import { LOG_FLAGS, queryOf } from "./log-query.ts";
import { formatRecord, LOG_HEADINGS } from "./log-text.ts";

/** How often the files are looked at for new records, in milliseconds: at once to a person, nothing to a machine. */
const FOLLOW_MS = 200;

/** The command. */
export const log = cliCommand({
  command: {
    usage: "log",
    summary: "show the decision log, oldest record first",
    flags: LOG_FLAGS,
    examples: [
      ["outcall log -f", "watch decisions as they are made"],
      ["outcall log --since 1h --decision block", "show what was blocked in the last hour"],
      ["outcall log --container web --rule default-block", "show what no rule allowed in one container"],
      ["outcall log --json --since 1d", "print one JSON object a line, for a script"],
    ],
  },
  run: async (plan, io) => {
    const query = queryOf(plan, systemClock);
    if (!query.ok) return fail(io, query.error);
    const stateDir = await findStateDir(plan);
    if (!stateDir.ok) return fail(io, stateDir.error);
    const db = openRecords(stateDir.value);
    if (!db.ok) return fail(io, db.error);
    const isJson = plan.flags.json;
    const format = isJson ? formatJsonRecord : formatRecord;
    if (!isJson) io.stdout(LOG_HEADINGS);
    const ended = await print(db.value, query.value, { io, format, follow: plan.flags.follow });
    db.value.close();
    return ended.ok ? 0 : fail(io, ended.error);
  },
});

type Printing = {
  readonly io: Io;
  readonly format: (row: ChainedRow, body: JsonObject) => string;
  readonly follow: boolean;
};

async function print(db: DatabaseSync, query: Query, { io, format, follow }: Printing): Promise<Result<null, Problem>> {
  const start = attempt(() => startOf(db, query));
  if (!start.ok) return start;
  for (let last = start.value;;) {
    const page = attempt(() => readPage(db, query, last));
    if (!page.ok) return page;
    for (const row of page.value) {
      const body = bodyOf(row);
      if (!body.ok) return body;
      io.stdout(format(row, body.value));
      last = row.seq;
    }
    const isAll = page.value.length < PAGE_RECORDS;
    if (isAll && !follow) return ok(null);
    await io.drained();
    if (isAll) await new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));
  }
}

function attempt<T>(read: () => T): Result<T, Problem> {
  try {
    return ok(read());
  } catch (cause) {
    const reason = messageOf(cause);
    return err(problem("audit.store", `cannot read the decision log: ${quote(reason)}`, { cause }));
  }
}

function bodyOf({ seq, body }: ChainedRow): Result<JsonObject, Problem> {
  const changed = problem("audit.broken", `record ${seq} is changed`, { hint: "outcall log verify checks all of it" });
  try {
    const parsed: unknown = JSON.parse(body);
    return isJsonObject(parsed) ? ok(parsed) : err(changed);
  } catch (cause) {
    return err({ ...changed, cause });
  }
}

/** One line of JSON for a record (`outcall schema log`). */
function formatJsonRecord(row: ChainedRow, body: JsonObject): string {
  const { seq, at, kind, audit, container, name, decision, rule, previous, hash } = row;
  const decided = kind === "decision" ? { decision, rule } : {};
  const time = new Date(at).toISOString();
  const whose = { container, name };
  return `${formatJson({ version: 1, seq, time, kind, audit, ...whose, ...decided, ...body, previous, hash })}\n`;
}
