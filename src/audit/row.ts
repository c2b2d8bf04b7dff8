// Row: a record as it is stored and hashed. Every member is part of the hash. `body` is the JSON text of the members that no
// query uses.
import { createHmac } from "node:crypto";
import type { LogKey } from "./key-file.ts";

/** A record without its place in the chain. */
export type Row = {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: string;
  readonly audit: boolean;
  readonly container: string | null;
  readonly name: string | null;
  readonly decision: string | null;
  readonly rule: string | null;
  readonly body: string;
};

/** A record with its place in the chain: its number, the hash of the record before it, and its own hash, in 64 hex digits. */
export type ChainedRow = Row & { readonly seq: number; readonly previous: string; readonly hash: string };

/** A place in the chain: the number of a record, and its hash. */
export type Link = { readonly seq: number; readonly hash: string };

/** The place before the first record. */
export const GENESIS: Link = { seq: 0, hash: "0".repeat(64) };

/** The place that a row gets. */
type Place = Pick<ChainedRow, "seq" | "previous">;

/** The hash of a row as record `seq` after a record with the hash `previous`. It cannot be made without the key. */
export function hashRow(row: Row, { seq, previous }: Place, key: LogKey): string {
  const { at, kind, audit, container, name, decision, rule, body } = row;
  // A JSON list, because different rows then have different texts.
  const text = JSON.stringify([previous, seq, at, kind, audit, container, name, decision, rule, body]);
  return createHmac("sha256", key.records).update(text).digest("hex");
}

/** The row, chained to the record at a place. */
export function chainRow(row: Row, before: Link, key: LogKey): ChainedRow {
  const place = { seq: before.seq + 1, previous: before.hash };
  return { ...row, ...place, hash: hashRow(row, place, key) };
}
