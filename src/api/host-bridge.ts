// The host socket's routes of the bridge.
import { ok } from "../core/result.ts";
import type { DecideDeps } from "../decision/decide.ts";
import type { HostHandlers } from "./host-options.ts";
import { describeBridge, switchBridge } from "./switch-bridge.ts";

/** Makes the handlers. */
export function bridgeHandlers({ bridge, log }: Pick<DecideDeps, "bridge" | "log">): Pick<
  HostHandlers,
  "GET /api/v1/bridge" | "POST /api/v1/bridge/up" | "POST /api/v1/bridge/down"
> {
  return {
    "GET /api/v1/bridge": () => ok(describeBridge(bridge)),
    "POST /api/v1/bridge/up": () => switchBridge(bridge, "up", log),
    "POST /api/v1/bridge/down": () => switchBridge(bridge, "down", log),
  };
}
