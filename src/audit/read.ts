// Reads records page by page, so that reading needs little memory and does not block the daemon's writing.
import type { DatabaseSync } from "node:sqlite";
import { countIn, type Raw, rowOf } from "./database.ts";
import type { ChainedRow } from "./row.ts";

/** Which records to read; a member that is null does not restrict them. */
export type Query = {
  /** Oldest time, in milliseconds since 1970. */
  readonly sinceMs: number | null;
  /** Full id, `ctr-...` id, name, or the first twelve or more characters of the id. */
  readonly container: string | null;
  readonly decision: string | null;
  readonly rule: string | null;
};

/** Most records of one page. */
export const PAGE_RECORDS = 500;

/** The next page of records after the given number, oldest first. Throws the database's error. */
export function readPage(db: DatabaseSync, query: Query, afterSeq: number): readonly ChainedRow[] {
  const { sinceMs, container, decision, rule } = query;
  const conditions: readonly (readonly [string, string | number | null])[] = [
    ["at >= ?", sinceMs],
    ["decision = ?", decision],
    ["rule = ?", rule],
  ];
  const asked = conditions.filter(([, value]) => value !== null);
  const whose = container === null ? [] : [CONTAINER];
  const where = ["seq > ?", ...asked.map(([text]) => text), ...whose].join(" AND ");
  const found = db.prepare(`SELECT * FROM record WHERE ${where} ORDER BY seq LIMIT ${PAGE_RECORDS}`);
  const values = asked.flatMap(([, value]) => value === null ? [] : [value]);
  return found.all(afterSeq, ...values, ...(container === null ? [] : namesOf(container))).map(recordOf);
}

/** The number before the first record that is not too old. Later records can be older, if the clock was set back. */
export function startOf(db: DatabaseSync, { sinceMs }: Query): number {
  if (sinceMs === null) return 0;
  const first = countIn(db.prepare("SELECT min(seq) AS first FROM record WHERE at >= ?").get(sinceMs), "first");
  // No record is new enough yet, so reading starts at the end.
  if (first > 0) return first - 1;
  return countIn(db.prepare("SELECT max(seq) AS last FROM record").get(), "last");
}

const CONTAINER = "(container = ? OR name = ? OR (container GLOB ?))";

// People copy the beginning of an id.
function namesOf(container: string): readonly [string, string, string] {
  const digits = /^(?:ctr-)?([0-9a-f]{12,64})$/.exec(container)?.[1];
  return [container, container, digits === undefined ? "" : `${digits}*`];
}

function recordOf(raw: Raw): ChainedRow {
  const row = rowOf(raw);
  if (row === null) throw new Error(`record ${String(raw["seq"])} is not one that the log wrote`);
  return row;
}
