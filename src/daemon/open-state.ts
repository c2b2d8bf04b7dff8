// Stage: the state directory, locked, and its keys.
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { loadRuleIdKey, type RuleIdKey } from "../api/opaque-rule-id.ts";
import { openStateDir } from "../state/state-dir.ts";
import { loadStateKey } from "../state/state-key.ts";
import type { Config } from "./config.ts";

/** The file of the key of stamps in the state directory. */
export const STAMP_KEY_FILE = "stamp.key";

/** The keys of a daemon. */
export type StateKeys = { readonly ruleIdKey: RuleIdKey; readonly stampKey: Uint8Array };

/** Locks the state directory and reads its keys, which are made at the first start. */
export function openState(
  stack: AsyncDisposableStack,
  { stateDir }: Pick<Config, "stateDir">,
): Result<StateKeys, Problem> {
  const state = openStateDir(stateDir);
  if (!state.ok) return state;
  stack.defer(state.value.close);
  const ruleIdKey = loadRuleIdKey(stateDir);
  if (!ruleIdKey.ok) return ruleIdKey;
  const stampKey = loadStateKey(stateDir, STAMP_KEY_FILE);
  return stampKey.ok ? ok({ ruleIdKey: ruleIdKey.value, stampKey: stampKey.value }) : stampKey;
}
