// Placeholders for values that a record may not store. They name the kind and the size of a value, never its content.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { HiddenMap } from "../core/context-member.ts";

/** The kind of a hidden value. */
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

/** The mark after the beginning of a text that was cut: length and SHA-256 of the whole text. */
export function cutMark(whole: string): string {
  return `<cut ${Buffer.byteLength(whole)} bytes sha256 ${createHash("sha256").update(whole).digest("hex")}>`;
}
