// Verified work -> stamp: an HMAC-SHA-256 under a key that only the daemon can read. Without the key no one can make the stamp
// for a changed fact, rulespec, session or time.
import { Buffer } from "node:buffer";
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Json } from "../core/json.ts";
import { canonicalJson } from "../core/canonical-json.ts";
import { rulespecData } from "./describe-rulespec.ts";
import type { Rulespec } from "./rulespec.ts";

/** The data that a stamp covers. */
export type Stampable = {
  readonly facts: Json;
  readonly rulespec: Rulespec;
  readonly session: string;
  /** ISO 8601. */
  readonly at: string;
};

/** Makes the stamp. The caller must have verified the work. */
export function makeStamp(key: Uint8Array, { facts, rulespec, session, at }: Stampable): string {
  const covered = canonicalJson({ facts, rulespec: rulespecData(rulespec), session, at });
  return `hmac-sha256:${createHmac("sha256", key).update(covered).digest("hex")}`;
}

/** Whether a stamp matches the data. */
export function stampHolds(key: Uint8Array, stamp: string, stampable: Stampable): boolean {
  const expected = Buffer.from(makeStamp(key, stampable));
  const given = Buffer.from(stamp);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The digest of a value. It shows which part has changed, but proves nothing, because computing it needs no key. */
export function digestOf(value: Json): string {
  return `sha256:${createHash("sha256").update(canonicalJson(value)).digest("hex")}`;
}
