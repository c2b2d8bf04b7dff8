// JSON as a type, and the check of JSON from outside: whole numbers must be exact, and nesting is bounded, so that later code
// cannot overflow the stack.
import { quote, replaceUnprintable } from "./quote.ts";
import { err, ok, type Result } from "./result.ts";

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Deepest nesting of JSON from outside. Conditions read a few levels, and recursion stays far from the end of the stack. */
export const JSON_DEPTH = 32;

/** Refuses nesting over the limit, numbers beyond the range of a double, and whole numbers beyond ±(2^53-1), which a double rounds. */
export function checkJson(value: Json, maxDepth = JSON_DEPTH): Result<null, string> {
  const waiting: { value: Json; depth: number }[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const item = next.value;
    if (typeof item === "number" && !Number.isFinite(item)) return err("number beyond the range of a double");
    if (typeof item === "number" && Number.isInteger(item) && !Number.isSafeInteger(item)) {
      return err(`integer beyond 2^53-1: ${quote(String(item))}`);
    }
    if (typeof item !== "object" || item === null) continue;
    if (next.depth >= maxDepth) return err(`nested over ${maxDepth} levels`);
    for (const member of Object.values(item)) waiting.push({ value: member, depth: next.depth + 1 });
  }
  return ok(null);
}

/** Whether a value is an object and not a list or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a list. */
export function isJsonList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** JSON text for a person's terminal or a file: every character that is not printable is escaped, `indent` as in JSON.stringify. */
export function formatJson(value: unknown, indent = 0): string {
  const lines = JSON.stringify(value, null, indent).split("\n");
  return lines.map((line) => replaceUnprintable(line, escapeUnits)).join("\n");
}

function escapeUnits(character: string): string {
  return character.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}
