// What stands in a record for what may not be stored: its type and size, never its bytes.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { HiddenMap } from "../core/context-member.ts";

/** What kind of thing was taken out. */
export type HiddenKind =
  | HiddenMap
  | "argument"
  | "environment"
  | "fragment"
  | "private key"
  | "query"
  | "text"
  | "token"
  | "unknown"
  | "user info";

/** For example `<header 12 bytes>`; sizes are of UTF-8. */
export function placeholder(kind: HiddenKind, hidden: string): string {
  return `<${kind} ${Buffer.byteLength(hidden)} bytes>`;
}

/** What stands behind the beginning of a text that was too long: the length and SHA-256 of all of it. */
export function cutMark(whole: string): string {
  return `<cut ${Buffer.byteLength(whole)} bytes sha256 ${createHash("sha256").update(whole).digest("hex")}>`;
}
