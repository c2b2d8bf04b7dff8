// What stands at a place of a YAML document, in words for an error message.
import { escapeText, quote } from "../core/quote.ts";
import type { YamlNode } from "./node.ts";

/** How much of a text that stands in the wrong place is quoted. */
export const FOUND_LENGTH = 60;

/** Names what was found, for example `the string "yes"`. */
export function foundText(node: YamlNode): string {
  if (node.kind !== "scalar") return `a ${node.kind}`;
  if (node.value === null) return "nothing";
  const { text } = node;
  if (typeof node.value === "string") return `the string ${quote(text, FOUND_LENGTH)}`;
  return `the ${typeof node.value} ${escapeText(text, FOUND_LENGTH)}`;
}
