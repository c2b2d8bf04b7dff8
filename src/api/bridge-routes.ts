// The host socket's calls about the bridge (rule-engine.md 9).
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import { success } from "../wire/answer.ts";
import type { BridgeData } from "../wire/host-api.ts";
import { answerProblem, type createApp } from "../server/app.ts";
import { describeBridge, switchBridge } from "./switch-bridge.ts";
import type { DecideDeps } from "../decision/decide.ts";

/** Adds the calls to the host socket's app. */
export function mountBridge(
  app: ReturnType<typeof createApp>,
  { bridge, log }: Pick<DecideDeps, "bridge" | "log">,
): void {
  app
    .get("/api/v1/bridge", () => success(describeBridge(bridge)))
    .post("/api/v1/bridge/up", () => answer(switchBridge(bridge, "up", log)))
    .post("/api/v1/bridge/down", () => answer(switchBridge(bridge, "down", log)));
}

function answer(switched: Result<BridgeData, Problem>) {
  return switched.ok ? success(switched.value) : answerProblem(switched.error);
}
