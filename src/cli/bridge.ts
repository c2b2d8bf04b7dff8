// `outcall bridge up | down | status`: the network bridge that must be up before rules are evaluated (S003-FR-033).
import { flagSwitch, type RunPlan } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { quote } from "../core/quote.ts";
import { BridgeData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, type ExitCode, fail } from "./cli-command.ts";
import type { Io } from "./io.ts";

/** `bridge up`. */
export const bridgeUp: CliCommand = {
  command: {
    path: ["bridge", "up"],
    summary: "bring the bridge up, made where it is missing",
    arguments: [],
    flags: [],
  },
  run: (plan, io) => show(plan, io, { method: "POST", path: "/api/v1/bridge/up" }),
};

/** `bridge down`. */
export const bridgeDown: CliCommand = {
  command: { path: ["bridge", "down"], summary: "take the bridge down: nothing is decided", arguments: [], flags: [] },
  run: (plan, io) => show(plan, io, { method: "POST", path: "/api/v1/bridge/down" }),
};

/** `bridge status`. */
export const bridgeStatus: CliCommand = {
  command: { path: ["bridge", "status"], summary: "show whether the bridge is up", arguments: [], flags: [] },
  run: (plan, io) => show(plan, io, { method: "GET", path: "/api/v1/bridge" }),
};

type Request = { readonly method: "GET" | "POST"; readonly path: string };

async function show(plan: RunPlan, io: Io, request: Request): Promise<ExitCode> {
  const bridge = await ask(plan, { ...request, data: BridgeData });
  if (!bridge.ok) return fail(io, bridge.error);
  const json = { version: 1, bridge: bridge.value };
  io.stdout(flagSwitch(plan, "json") ? `${formatJson(json)}\n` : describe(bridge.value));
  return 0;
}

function describe({ name, state }: BridgeData): string {
  return state === "none"
    ? "The daemon runs without a bridge (--bridge none).\n"
    : `Bridge ${quote(name)} is ${state}.\n`;
}
