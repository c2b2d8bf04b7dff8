// Value -> canonical JSON text. Two values have the same text exactly if they are equal, whatever the order of their keys or
// the spelling of their numbers.
import { isJsonList, type Json } from "../core/json.ts";

/** Writes a value as JSON without white space, keys sorted by code unit. */
export function canonicalJson(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (isJsonList(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(",")}}`;
}
