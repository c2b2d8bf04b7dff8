// Rule id -> the opaque id that agents see (S004-FR-007.b): a keyed digest. It stays the same over restarts, and without the
// key, which only the daemon can read, nothing about the rule can be derived from it.
import { createHmac } from "node:crypto";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { RULE_ID_KEY_FILE } from "../audit/paths.ts";
import { loadStateKey } from "../state/state-key.ts";

/** The key of opaque rule ids. */
export type RuleIdKey = { readonly bytes: Uint8Array };

/** How many opaque ids are cached for a key. */
const REMEMBERED_IDS = 10_000;

const remembered = new WeakMap<RuleIdKey, Map<string, string>>();

/** The opaque form of a rule's id: `rule-` and 12 hex characters. */
export function opaqueRuleId(key: RuleIdKey, id: string): string {
  const known = remembered.get(key) ?? new Map<string, string>();
  const opaque = known.get(id) ?? deriveId(key, id);
  if (known.size >= REMEMBERED_IDS) known.clear();
  remembered.set(key, known.set(id, opaque));
  return opaque;
}

function deriveId(key: RuleIdKey, id: string): string {
  return `rule-${createHmac("sha256", key.bytes).update(id).digest("hex").slice(0, 12)}`;
}

/** Reads the key of a locked state directory, or makes it at the first start. */
export function loadRuleIdKey(stateDir: string): Result<RuleIdKey, Problem> {
  const bytes = loadStateKey(stateDir, RULE_ID_KEY_FILE);
  return bytes.ok ? ok({ bytes: bytes.value }) : bytes;
}
