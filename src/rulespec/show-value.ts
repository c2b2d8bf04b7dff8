// Value -> the beginning of its JSON text. A value may have megabytes, and a reason is one line.
import { formatJson } from "../core/json.ts";
import { escapeText } from "../core/quote.ts";
import type { ValueNode } from "./value-tree.ts";

/** How many code units of a value are shown. */
const SHOWN_LENGTH = 200;

/** The beginning of a value as one line of JSON. */
export function showValue(node: ValueNode): string {
  const shown = beginningOf(node, SHOWN_LENGTH);
  return shown.length > SHOWN_LENGTH ? `${escapeText(shown.slice(0, SHOWN_LENGTH).toWellFormed())}...` : shown;
}

// Writes nothing beyond the limit, however large the value is.
function beginningOf(node: ValueNode, limit: number): string {
  if (node.type === "string") return formatJson(node.value.slice(0, limit + 1));
  if (node.type !== "list" && node.type !== "map") return formatJson(node.value);
  let text = node.type === "list" ? "[" : "{";
  const members = node.type === "list" ? node.items.entries() : node.members;
  let separator = "";
  for (const [key, member] of members) {
    if (text.length > limit) return text;
    const name = typeof key === "number" ? "" : `${formatJson(key.slice(0, limit + 1))}:`;
    text += `${separator}${name}${beginningOf(member, limit - text.length)}`;
    separator = ",";
  }
  return text + (node.type === "list" ? "]" : "}");
}
