// Row: a record as it is stored and hashed. Every member is part of the hash; `body` is the JSON text of all that no
// query asks for.
import { createHmac } from "node:crypto";
import type { LogKey } from "./key-file.ts";

/** A record on its way to the store, without its place in the chain. */
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

/** A record at its place: its number, the hash of the record before, and its own; hashes are 64 hex characters. */
export type ChainedRow = Row & { readonly seq: number; readonly previous: string; readonly hash: string };

/** A place in the chain: the number of a record, and its hash. */
export type Link = { readonly seq: number; readonly hash: string };

/** The place before the first record. */
export const GENESIS: Link = { seq: 0, hash: "0".repeat(64) };

/** Where a row is to stand. */
type Place = Pick<ChainedRow, "seq" | "previous">;

/** The hash of a row as the record `seq`, which follows one with the hash `previous`; without the key nobody can make one. */
export function hashRow(row: Row, { seq, previous }: Place, key: LogKey): string {
  const { at, kind, audit, container, name, decision, rule, body } = row;
  // A list as JSON: no two different rows have the same text.
  const text = JSON.stringify([previous, seq, at, kind, audit, container, name, decision, rule, body]);
  return createHmac("sha256", key.records).update(text).digest("hex");
}

/** The row as the one that follows a place. */
export function chainRow(row: Row, before: Link, key: LogKey): ChainedRow {
  const place = { seq: before.seq + 1, previous: before.hash };
  return { ...row, ...place, hash: hashRow(row, place, key) };
}
