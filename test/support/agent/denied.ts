// What the shim prints on standard error for a denial that is on record.
import { expect } from "bun:test";

/** Matches both lines: the reason, and how to ask for a rule. */
export function deniedWith(reason: string): ReturnType<typeof expect.stringMatching> {
  const first = RegExp.escape(`outcall-agent: denied: ${reason}`);
  const second = "outcall-agent: record rec-[0-9a-f]{12}; to ask for a rule: outcall-agent request submit <file>";
  return expect.stringMatching(new RegExp(`^${first}\n${second}\n$`));
}
