// One load of a rules directory that nobody changed meanwhile: half of what somebody writes can be a valid policy, so what
// was read must still be there once it is compiled.
import { setTimeout } from "node:timers/promises";
import type { Clock } from "../core/clock.ts";
import type { Finding } from "../core/finding.ts";
import { quote } from "../core/quote.ts";
import { placeAt } from "../core/span.ts";
import { fingerprintOf } from "../rule/fingerprint.ts";
import type { LoadedRules } from "./take-parts.ts";

/** How long a rules directory must have been left alone before it is loaded, in milliseconds (rule-engine.md 7). */
export const QUIET_MS = 250;

/** How long a load waits for the end of changes, in milliseconds: an operator waits for the answer. */
export const PATIENCE_MS = 10_000;

/** How a directory is loaded: once, whatever happens to it meanwhile. */
export type Load = () => Promise<LoadedRules>;

/** Loads until what was read is what is there; a directory that never comes to rest does not load. */
export async function loadStable(load: Load, dir: string, clock: Clock): Promise<LoadedRules> {
  const endMs = clock.monotonicMs() + PATIENCE_MS;
  for (;;) {
    const loaded = await load();
    const now = await fingerprintOf(dir);
    if (now.text === loaded.fingerprint.text) return loaded;
    if (clock.monotonicMs() >= endMs) return { ...loaded, set: null, findings: [...loaded.findings, restless(dir)] };
    await setTimeout(QUIET_MS);
  }
}

function restless(dir: string): Finding {
  const message = `rules directory ${quote(dir)} did not stop changing for ${PATIENCE_MS / 1_000} s`;
  return { code: "rule.file", severity: "error", message, place: placeAt(dir) };
}
