// Metadata of a request -> its typed form: the agent's own word, bounded, and of kinds that conditions can compare.
import { checkJson } from "../core/json.ts";
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { refuse } from "./refusal.ts";

/** Most entries of one request's metadata. */
export const METADATA_ENTRIES_LIMIT = 64;

/** The longest key, in characters (code points): keys are words, and messages name them. */
export const METADATA_KEY_LIMIT = 128;

/** A value that metadata may have. */
type MetadataValue = string | number | boolean | readonly string[];

/** What an agent adds to a request. */
export type Metadata = { readonly [key: string]: MetadataValue };

/** The metadata with its type, or the first thing that is wrong with it; values are never repeated in a message. */
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
  // Not by assignment: a key `__proto__` must become an entry like any other.
  return ok(Object.fromEntries(checked));
}

/** The entry `key`, which must be a string if it is given. */
export function textEntry(metadata: Metadata, key: string): Result<string | null, Problem> {
  const value = metadata[key];
  if (value === undefined) return ok(null);
  return typeof value === "string" ? ok(value) : refuse(`metadata.${key} is not a string`);
}

/** The entry `key`, which must be a list of strings if it is given; absent, it is empty. */
export function textsEntry(metadata: Metadata, key: string): Result<readonly string[], Problem> {
  const value = metadata[key] ?? [];
  return typeof value === "object" ? ok(value) : refuse(`metadata.${key} is not a list of strings`);
}

function isKey(key: string): boolean {
  // The first comparison keeps a huge key from being spread; a code point has at most two units.
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
  // JSON's 1e999 arrives as Infinity.
  if (typeof value === "number" && !Number.isFinite(value)) return "number out of range";
  const json = checkJson(value);
  return json.ok ? null : json.error;
}
