// The message of a finding for text formats, escaped so that it cannot move a cursor or change the reading direction.
import type { Finding } from "../core/finding.ts";
import { escapeWhole, quote } from "../core/quote.ts";

/** The message, followed by the rule's id unless the message names it. */
export function plainMessage(finding: Finding): string {
  const message = escapeWhole(finding.message);
  const rule = finding.rule === undefined ? null : quote(finding.rule);
  return rule === null || message.includes(rule) ? message : `${message} (rule ${rule})`;
}

/** The message, followed by the hint on a second line if there is one. */
export function plainMessageAndHint(finding: Finding): string {
  const message = plainMessage(finding);
  return finding.hint === undefined ? message : `${message}\nhint: ${escapeWhole(finding.hint)}`;
}
