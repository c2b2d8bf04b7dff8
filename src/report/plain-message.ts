// The words of a finding as every text format prints them: nothing in them can move a cursor or turn the reading direction.
import type { Finding } from "../core/finding.ts";
import { escapeWhole, quote } from "../core/quote.ts";

/** The message, with the rule's id where the message does not name it already. */
export function plainMessage(finding: Finding): string {
  const message = escapeWhole(finding.message);
  const rule = finding.rule === undefined ? null : quote(finding.rule);
  return rule === null || message.includes(rule) ? message : `${message} (rule ${rule})`;
}

/** The message, and the hint on a line of its own where there is one. */
export function plainMessageAndHint(finding: Finding): string {
  const message = plainMessage(finding);
  return finding.hint === undefined ? message : `${message}\nhint: ${escapeWhole(finding.hint)}`;
}
