// Texts of a condition that look like one host and are another: each beside the form in which a resolver spells it.
import { domainToASCII, domainToUnicode } from "node:url";
import type { Tree } from "../cel/tree.ts";
import { visit } from "../cel/walk-tree.ts";

/** A text and the ASCII form of the host that it spells. */
export type HostSpelling = { readonly text: string; readonly ascii: string };

/** Longest text that can be a host, in UTF-16 units. */
const HOST_LENGTH = 253;

/** Every literal of the condition that spells a host with characters beyond ASCII, or stands for one that has them. */
export function hostsOf(tree: Tree): readonly HostSpelling[] {
  const found = new Map<string, string>();
  visit(tree, (node) => {
    if (node.kind !== "literal" || typeof node.value !== "string" || node.value.length > HOST_LENGTH) return;
    const { value } = node;
    const isForeign = /[^\x20-\x7e]/.test(value);
    if (!isForeign && !/(?:^|\.)xn--/i.test(value)) return;
    const ascii = domainToASCII(value);
    if (ascii === "") return;
    // One that is written in its ASCII form already is shown with what it stands for.
    found.set(isForeign ? value : domainToUnicode(ascii), ascii);
  });
  return [...found].map(([text, ascii]) => ({ text, ascii }));
}
