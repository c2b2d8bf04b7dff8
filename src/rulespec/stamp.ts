// What was verified -> stamp: HMAC-SHA-256 under a key that only its maker can read (rulespec.md 5). Whoever changes a fact,
// the rulespec, the session or the time cannot make the stamp that goes with it.
import { Buffer } from "node:buffer";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Json } from "../core/json.ts";
import { canonicalJson } from "./canonical-json.ts";
import { rulespecData } from "./describe-rulespec.ts";
import type { Rulespec } from "./rulespec.ts";

/** What a stamp covers. */
export type Stampable = {
  readonly facts: Json;
  readonly rulespec: Rulespec;
  readonly session: string;
  /** ISO 8601. */
  readonly at: string;
};

/** Makes the stamp of what was verified; the caller has seen to it that it was. */
export function makeStamp(key: Uint8Array, { facts, rulespec, session, at }: Stampable): string {
  const covered = canonicalJson({ facts, rulespec: rulespecData(rulespec), session, at });
  return `hmac-sha256:${createHmac("sha256", key).update(covered).digest("hex")}`;
}

/** Whether a stamp is the one that goes with what it is held against. */
export function stampHolds(key: Uint8Array, stamp: string, stampable: Stampable): boolean {
  const expected = Buffer.from(makeStamp(key, stampable));
  const given = Buffer.from(stamp);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The digest of a value, which tells a reader what has changed; it proves nothing. */
export function digestOf(value: Json): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}
