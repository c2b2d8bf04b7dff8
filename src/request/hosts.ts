// Finds the texts of a condition that may look like another host than they name, and returns each with its ASCII form.
import { domainToASCII, domainToUnicode } from "node:url";
import type { Tree } from "../cel/tree.ts";
import { visit } from "../cel/walk-tree.ts";

/** A text and the ASCII form of the host that it spells. */
export type HostSpelling = { readonly text: string; readonly ascii: string };

/** Longest text that can be a host, in UTF-16 units. */
const HOST_LENGTH = 253;

/** Every literal of the condition that is a host with characters beyond ASCII, or the ASCII form of such a host. */
export function hostsOf(tree: Tree): readonly HostSpelling[] {
  const found = new Map<string, string>();
  visit(tree, (node) => {
    if (node.kind !== "literal" || typeof node.value !== "string" || node.value.length > HOST_LENGTH) return;
    const { value } = node;
    const isForeign = /[^\x20-\x7e]/.test(value);
    if (!isForeign && !/(?:^|\.)xn--/i.test(value)) return;
    const ascii = domainToASCII(value);
    if (ascii === "") return;
    // A host in ASCII form is shown with its Unicode form.
    found.set(isForeign ? value : domainToUnicode(ascii), ascii);
  });
  return [...found].map(([text, ascii]) => ({ text, ascii }));
}
