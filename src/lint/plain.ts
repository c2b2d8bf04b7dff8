// The words of a finding as every text format prints them: nothing in them can move a cursor or turn the reading direction.
import type { Finding } from "../core/finding.ts";
import { escapeText, quote } from "../core/quote.ts";

/** Text with everything that is not printable escaped, however long it is. */
export function plain(text: string): string {
  return escapeText(text, Number.POSITIVE_INFINITY);
}

/** The message, with the rule's id where the message does not name it already. */
export function plainMessage(finding: Finding): string {
  const message = plain(finding.message);
  const rule = finding.rule === undefined ? null : quote(finding.rule);
  return rule === null || message.includes(rule) ? message : `${message} (rule ${rule})`;
}

/** The message, and the hint on a line of its own where there is one. */
export function plainMessageAndHint(finding: Finding): string {
  const message = plainMessage(finding);
  return finding.hint === undefined ? message : `${message}\nhint: ${plain(finding.hint)}`;
}
