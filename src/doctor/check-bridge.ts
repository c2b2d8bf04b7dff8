// The network bridge that must be up before the daemon decides anything.
import { measureBridge } from "../bridge/state.ts";
import { quote } from "../core/quote.ts";
import { type Check, doubtful, failed, fine } from "./check.ts";

/** Checks the bridge; `none` means that the daemon runs without one. A starting daemon creates a missing bridge. */
export function checkBridge(bridge: string, isRunning: boolean): Check {
  const name = "bridge";
  if (bridge === "none") return fine(name, "not used (--bridge none)");
  const state = measureBridge(bridge);
  const found = `${quote(bridge)} is ${state}`;
  if (state === "up") return fine(name, found);
  const remedy = "outcall bridge up";
  if (isRunning || state === "down") return failed(name, found, isRunning ? remedy : `start outcalld, then ${remedy}`);
  return doubtful(
    name,
    found,
    "start outcalld with CAP_NET_ADMIN, so that it creates the bridge, or run it with --bridge none",
  );
}
