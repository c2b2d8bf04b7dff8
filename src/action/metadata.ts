// Metadata of a request -> typed metadata: limited in size, and of types that conditions can compare.
import { checkJson } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { refuse } from "./refusal.ts";

/** Most entries in the metadata of one request. */
export const METADATA_ENTRIES_LIMIT = 64;

/** The longest key, in code points. Messages show keys. */
export const METADATA_KEY_LIMIT = 128;

/** A value that metadata may have. */
type MetadataValue = string | number | boolean | readonly string[];

/** The metadata of a request. */
export type Metadata = { readonly [key: string]: MetadataValue };

/** Checks metadata; the problem names the first wrong entry and never shows a value. */
export function checkMetadata(given: Readonly<Record<string, unknown>>): Result<Metadata, Problem> {
  const entries = Object.entries(given);
  if (entries.length > METADATA_ENTRIES_LIMIT) return refuse(`metadata has over ${METADATA_ENTRIES_LIMIT} entries`);
  const checked: [string, MetadataValue][] = [];
  for (const [key, value] of entries) {
    if (!isKey(key)) return refuse(`metadata key ${quote(key)} is not 1 to ${METADATA_KEY_LIMIT} characters`);
    if (!isMetadataValue(value)) {
      return refuse(`metadata ${quote(key)} is not a string, number, boolean or list of strings`);
    }
    const fault = faultOf(value);
    if (fault !== null) return refuse(`metadata ${quote(key)}: ${fault}`);
    checked.push([key, value]);
  }
  // Object.fromEntries makes a key `__proto__` an ordinary entry; an assignment would not.
  return ok(Object.fromEntries(checked));
}

/** Returns the entry `key`, which must be a string; null if it is not given. */
export function textEntry(metadata: Metadata, key: string): Result<string | null, Problem> {
  const value = metadata[key];
  if (value === undefined) return ok(null);
  return typeof value === "string" ? ok(value) : refuse(`metadata.${key} is not a string`);
}

/** Returns the entry `key`, which must be a list of strings; empty if it is not given. */
export function textsEntry(metadata: Metadata, key: string): Result<readonly string[], Problem> {
  const value = metadata[key] ?? [];
  return typeof value === "object" ? ok(value) : refuse(`metadata.${key} is not a list of strings`);
}

function isKey(key: string): boolean {
  // The length is compared first, so that a huge key is not spread; a code point has at most two units.
  return key !== "" && key.length <= 2 * METADATA_KEY_LIMIT && [...key].length <= METADATA_KEY_LIMIT &&
    key.isWellFormed();
}

function isMetadataValue(value: unknown): value is MetadataValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === "string");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

function faultOf(value: MetadataValue): string | null {
  const texts = typeof value === "object" ? value : typeof value === "string" ? [value] : [];
  if (!texts.every((text) => text.isWellFormed())) return "not well-formed Unicode";
  // JSON.parse turns 1e999 into Infinity.
  if (typeof value === "number" && !Number.isFinite(value)) return "number out of range";
  const json = checkJson(value);
  return json.ok ? null : json.error;
}
