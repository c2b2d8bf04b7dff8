// The digest of a rule set. It changes with everything that can change a decision, and not with comments, white space,
// descriptions, or the spelling of YAML and definitions.
import { createHash } from "node:crypto";
import { expiryOf } from "./expires.ts";
import { HOOK_TIMEOUT_MS } from "./lint-rules.ts";
import type { Interruptible } from "../core/interruptible.ts";
import type { AnalyzedRule } from "./linted-rule.ts";

// The characters hashed at once: each call costs as much as hashing several rules.
const HASHED_LENGTH = 16 * 1024;

/** SHA-256 over the rules in evaluation order, 64 hex characters. */
export function* digestOf(rules: readonly AnalyzedRule[]): Interruptible<string> {
  const hash = createHash("sha256");
  let lines = "";
  for (const { file, entry, normal } of rules) {
    yield;
    const hook = entry.enrich === null ? null : [entry.enrich.script, entry.enrich.timeoutMs ?? HOOK_TIMEOUT_MS];
    const { egress, expires } = entry;
    const leaves = egress === null ? null : { mode: egress.mode, addresses: egress.addresses };
    const parts = [file, entry.id, entry.action, normal, entry.priority, entry.log, entry.reason, leaves, hook];
    if (expires !== null) parts.push(expiryOf(expires));
    lines += `${JSON.stringify(parts)}\n`;
    if (lines.length < HASHED_LENGTH) continue;
    hash.update(lines);
    lines = "";
  }
  return hash.update(lines).digest("hex");
}
