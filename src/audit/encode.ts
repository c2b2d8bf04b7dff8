// Entry -> Row: redacted and bounded, with a keyed digest of the whole context.
import { canonicalJson } from "../core/canonical-json.ts";
import { createHmac } from "node:crypto";
import { isJsonList, type Json, type JsonObject } from "../core/json.ts";
import { boundObject, boundText } from "./bound.ts";
import type { LogKey } from "./key-file.ts";
import type { DecisionEntry, Entry, EntryError, EventEntry, ExpressionEntry } from "./entry.ts";
import { isAudit } from "./entry.ts";
import { placeholder } from "./placeholder.ts";
import { redactContext, redactTarget } from "./redact-context.ts";
import { redactText } from "./redact-text.ts";
import type { Row } from "./row.ts";

/** Most bytes of JSON that a record holds of a context or of an event's details. */
export const CONTEXT_LIMIT_BYTES = 4_096;

/** Longest name, reason or message of a record, in characters. */
const TEXT_LIMIT = 500;

/** Most errors and most hooks that one record names: the first errors are the ones to look at. */
const LIST_LIMIT = 20;

/** The row of an entry, without anything that may not be stored. */
export function encodeEntry(entry: Entry, key: LogKey): Row {
  const { at, kind, container } = entry;
  const decided = "decision" in entry ? entry : null;
  return {
    at: at.getTime(),
    kind,
    audit: isAudit(entry),
    container: nullable(container.id),
    name: nullable(container.name),
    decision: decided === null ? null : decided.decision,
    rule: decided === null ? null : nullable(decided.rule),
    body: JSON.stringify(bodyOf(entry, key)),
  };
}

function bodyOf(entry: Entry, key: LogKey): JsonObject {
  if ("decision" in entry) return decisionBody(entry, key);
  return "expression" in entry ? expressionBody(entry, key) : eventBody(entry);
}

function decisionBody(entry: DecisionEntry, key: LogKey): JsonObject {
  const { source, file, digest, reason, hooks, errors, context, rawTarget } = entry;
  return {
    source,
    file: nullable(file),
    digest,
    reason: nullable(reason),
    duration_ms: durationOf(entry),
    hooks: hooks.slice(0, LIST_LIMIT).map(clean),
    errors: errors.slice(0, LIST_LIMIT).map(cleanError),
    ...(rawTarget === null ? {} : { raw_target: clean(redactTarget(context.action_type, rawTarget)) }),
    ...contextBody(entry, key),
  };
}

function expressionBody(entry: ExpressionEntry, key: LogKey): JsonObject {
  const { source, expression, result, error, digest } = entry;
  return {
    source,
    digest,
    expression: cleanExpression(expression),
    result,
    reason: nullable(error),
    duration_ms: durationOf(entry),
    ...contextBody(entry, key),
  };
}

function contextBody({ context, source }: DecisionEntry | ExpressionEntry, key: LogKey): JsonObject {
  return {
    context: boundObject(redactContext(context, { ordered: source === "agent" }), CONTEXT_LIMIT_BYTES),
    context_digest: createHmac("sha256", key.contexts).update(canonicalJson(context)).digest("hex"),
  };
}

function durationOf({ durationMs }: { readonly durationMs: number }): number {
  return Math.round(durationMs * 1_000) / 1_000;
}

function eventBody({ source, reason, detail }: EventEntry): JsonObject {
  const entries = Object.entries(detail).map(([name, value]) => [name, cleanJson(value)] as const);
  return { source, reason: nullable(reason), detail: boundObject(Object.fromEntries(entries), CONTEXT_LIMIT_BYTES) };
}

function cleanError({ rule, file, message }: EntryError): JsonObject {
  return { rule: clean(rule), file: clean(file), message: clean(message) };
}

// An expression that seems to hold a secret is hidden as a whole, because with a part cut out it would mean something else.
function cleanExpression(expression: string): string {
  return redactText(expression) === expression ? clean(expression) : placeholder("text", expression);
}

function cleanJson(value: Json): Json {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (isJsonList(value)) return value.map(cleanJson);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [redactText(name), cleanJson(member)]));
}

// The database stores UTF-8, which cannot hold half a surrogate pair.
function clean(text: string): string {
  return boundText(redactText(text).toWellFormed(), TEXT_LIMIT);
}

function nullable(text: string | null): string | null {
  return text === null ? null : clean(text);
}
