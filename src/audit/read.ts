// Reads records page by page, so that reading needs little memory and does not block the daemon's writing.
import type { DatabaseSync } from "node:sqlite";
import { countIn, type Raw, rowOf } from "./database.ts";
import type { ChainedRow } from "./row.ts";

/** Which records to read; a member that is null does not restrict them. */
export type Query = {
  /** Oldest time, in milliseconds since 1970. */
  readonly sinceMs: number | null;
  /** Times before this one, in milliseconds since 1970. */
  readonly untilMs: number | null;
  /** Full id, `ctr-...` id, name, or the first twelve or more characters of the id. */
  readonly container: string | null;
  readonly decision: string | null;
  readonly rule: string | null;
  /** Whether what-ifs are wanted too. */
  readonly whatIfs: boolean;
};

/** Most records of one page. */
export const PAGE_RECORDS = 500;

/** The next page of records after the given number, oldest first. Throws the database's error. */
export function readPage(db: DatabaseSync, query: Query, afterSeq: number): readonly ChainedRow[] {
  const { where, values } = conditionsOf(query);
  const found = db.prepare(`SELECT * FROM record WHERE seq > ? AND ${where} ORDER BY seq LIMIT ${PAGE_RECORDS}`);
  return found.all(afterSeq, ...values).map(recordOf);
}

/** The record with a number, or null. Throws the database's error. */
export function readRecord(db: DatabaseSync, seq: number): ChainedRow | null {
  const raw = db.prepare("SELECT * FROM record WHERE seq = ?").get(seq);
  return raw === undefined ? null : recordOf(raw);
}

/** The number before the first record that is not too old. Later records can be older, if the clock was set back. */
export function startOf(db: DatabaseSync, { sinceMs }: Query): number {
  if (sinceMs === null) return 0;
  const first = countIn(db.prepare("SELECT min(seq) AS first FROM record WHERE at >= ?").get(sinceMs), "first");
  // No record is new enough yet, so reading starts at the end.
  if (first > 0) return first - 1;
  return lastSeq(db);
}

/** The start of the last wanted records: the number before the first of them, and whether earlier wanted records exist. */
export type Tail = { readonly afterSeq: number; readonly hasEarlier: boolean };

/** The tail of at most `count` wanted records. Throws the database's error. */
export function tailOf(db: DatabaseSync, query: Query, count: number): Tail {
  if (count === 0) return { afterSeq: lastSeq(db), hasEarlier: true };
  const { where, values } = conditionsOf(query);
  const text = `SELECT seq FROM record WHERE ${where} ORDER BY seq DESC LIMIT 2 OFFSET ?`;
  const [first, earlier] = db.prepare(text).all(...values, count - 1);
  if (first === undefined || earlier === undefined) return { afterSeq: startOf(db, query), hasEarlier: false };
  return { afterSeq: countIn(first, "seq") - 1, hasEarlier: true };
}

/** The numbers of the first and the last record; both 0 where there is none. */
export function rangeOf(db: DatabaseSync): { readonly first: number; readonly last: number } {
  const first = countIn(db.prepare("SELECT min(seq) AS first FROM record").get(), "first");
  return { first, last: lastSeq(db) };
}

/** Whether any record is about a container. */
export function hasContainer(db: DatabaseSync, container: string): boolean {
  return db.prepare(`SELECT 1 FROM record WHERE ${CONTAINER} LIMIT 1`).get(...namesOf(container)) !== undefined;
}

/** Whether any record is a decision of a rule. */
export function hasRule(db: DatabaseSync, rule: string): boolean {
  return db.prepare("SELECT 1 FROM record WHERE rule = ? LIMIT 1").get(rule) !== undefined;
}

/** The names of all containers, or the ids of all rules, that records name. */
export function namesIn(db: DatabaseSync, column: "name" | "rule"): readonly string[] {
  const rows = db.prepare(`SELECT DISTINCT ${column} AS text FROM record WHERE ${column} IS NOT NULL`).all();
  return rows.flatMap(({ text }) => typeof text === "string" ? [text] : []);
}

type Conditions = { readonly where: string; readonly values: readonly (string | number)[] };

function conditionsOf({ sinceMs, untilMs, container, decision, rule, whatIfs }: Query): Conditions {
  const conditions: readonly (readonly [string, string | number | null])[] = [
    ["at >= ?", sinceMs],
    ["at < ?", untilMs],
    ["decision = ?", decision],
    ["rule = ?", rule],
  ];
  const asked = conditions.filter(([, value]) => value !== null);
  const whose = container === null ? [] : [CONTAINER];
  const kinds = whatIfs ? [] : ["kind <> 'what-if'"];
  return {
    where: ["1", ...asked.map(([text]) => text), ...kinds, ...whose].join(" AND "),
    values: [
      ...asked.flatMap(([, value]) => value === null ? [] : [value]),
      ...(container === null ? [] : namesOf(container)),
    ],
  };
}

function lastSeq(db: DatabaseSync): number {
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
