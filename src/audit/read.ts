// Records as they are read back: a page at a time, so that neither memory nor the daemon's writing is held up.
import type { DatabaseSync } from "node:sqlite";
import { countIn, type Raw, rowOf } from "./database.ts";
import type { ChainedRow } from "./row.ts";

/** Which records are wanted; a member that is null asks for nothing. */
export type Query = {
  /** Not older than this, in milliseconds since 1970. */
  readonly sinceMs: number | null;
  /** By full id, `ctr-...` id, name, or the first twelve or more characters of the id. */
  readonly container: string | null;
  readonly decision: string | null;
  readonly rule: string | null;
  /** Whether what-ifs are wanted besides what happened. */
  readonly whatIfs: boolean;
};

/** Records of one page. */
export const PAGE_RECORDS = 500;

/** The wanted records after the one with this number, oldest first, at most a page; throws what the database says. */
export function readPage(db: DatabaseSync, query: Query, afterSeq: number): readonly ChainedRow[] {
  const { sinceMs, container, decision, rule, whatIfs } = query;
  const conditions: readonly (readonly [string, string | number | null])[] = [
    ["at >= ?", sinceMs],
    ["decision = ?", decision],
    ["rule = ?", rule],
  ];
  const asked = conditions.filter(([, value]) => value !== null);
  const whose = container === null ? [] : [CONTAINER];
  const kinds = whatIfs ? [] : ["kind <> 'what-if'"];
  const where = ["seq > ?", ...asked.map(([text]) => text), ...kinds, ...whose].join(" AND ");
  const found = db.prepare(`SELECT * FROM record WHERE ${where} ORDER BY seq LIMIT ${PAGE_RECORDS}`);
  const values = asked.flatMap(([, value]) => value === null ? [] : [value]);
  return found.all(afterSeq, ...values, ...(container === null ? [] : namesOf(container))).map(recordOf);
}

/** The number before the first record that is not too old; later ones may be, after a clock was set back. */
export function startOf(db: DatabaseSync, { sinceMs }: Query): number {
  if (sinceMs === null) return 0;
  const first = countIn(db.prepare("SELECT min(seq) AS first FROM record WHERE at >= ?").get(sinceMs), "first");
  // None yet: what comes is looked at from the end on.
  if (first > 0) return first - 1;
  return countIn(db.prepare("SELECT max(seq) AS last FROM record").get(), "last");
}

const CONTAINER = "(container = ? OR name = ? OR (container GLOB ?))";

// What a person has at hand of an id is its beginning.
function namesOf(container: string): readonly [string, string, string] {
  const digits = /^(?:ctr-)?([0-9a-f]{12,64})$/.exec(container)?.[1];
  return [container, container, digits === undefined ? "" : `${digits}*`];
}

function recordOf(raw: Raw): ChainedRow {
  const row = rowOf(raw);
  if (row === null) throw new Error(`record ${String(raw["seq"])} is not one that the log wrote`);
  return row;
}
