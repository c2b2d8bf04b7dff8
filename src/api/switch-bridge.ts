// Creates the bridge at the start, if the daemon may, and brings it up or takes it down for the operator.
import { bringUp, makeWhereMissing, takeDown } from "../bridge/change.ts";
import type { BridgeProbe } from "../bridge/state.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { BridgeData } from "../wire/host-api.ts";
import type { Log } from "../log/logger.ts";

/** The name and state of the bridge. */
export function describeBridge(bridge: BridgeProbe): BridgeData {
  return { name: bridge.name ?? "none", state: bridge.state() };
}

/** Makes the bridge if it is missing. If that fails, the daemon logs a warning and starts all the same. */
export function prepareBridge(bridge: BridgeProbe, log: Log): void {
  const { name } = bridge;
  if (name === null) {
    log.warning("bridge.none", { reason: "evaluation does not depend on a bridge (--bridge none)" });
    return;
  }
  const made = makeWhereMissing(name);
  if (made.ok && made.value === "made") log.info("bridge.made", { bridge: name });
  if (!made.ok) log.warning("bridge.not-made", { bridge: name, reason: made.error.message });
  bridge.forget();
  if (bridge.state() === "up") return;
  log.warning("bridge.down", { bridge: name, reason: "every evaluation is refused until the bridge is up" });
}

/** Brings the bridge up or takes it down, as the operator asks. */
export function switchBridge(bridge: BridgeProbe, to: "up" | "down", log: Log): Result<BridgeData, Problem> {
  const { name } = bridge;
  if (name === null) return err(problem("bridge.conflict", "the daemon runs without a bridge (--bridge none)"));
  const changed = to === "up" ? bringUp(name) : takeDown(name);
  bridge.forget();
  if (!changed.ok) return changed;
  log.info("bridge.switched", { bridge: name, to, state: bridge.state() });
  return ok(describeBridge(bridge));
}
