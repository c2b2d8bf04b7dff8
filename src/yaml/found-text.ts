// Names the value that was found at a place of a YAML document, for error messages.
import { escapeText, quote } from "../core/quote.ts";
import type { YamlNode } from "./node.ts";

/** How many characters of a wrong value a message quotes. */
export const FOUND_LENGTH = 60;

/** Names a value that was found, for example `the string "yes"`. */
export function foundText(node: YamlNode): string {
  if (node.kind !== "scalar") return `a ${node.kind}`;
  if (node.value === null) return "nothing";
  const { text } = node;
  if (typeof node.value === "string") return `the string ${quote(text, FOUND_LENGTH)}`;
  return `the ${typeof node.value} ${escapeText(text, FOUND_LENGTH)}`;
}
