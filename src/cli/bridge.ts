// `outcall bridge up | down | status`: the network bridge that must be up before rules are evaluated (S003-FR-033).
import type { CliPlan } from "./global-flags.ts";
import { formatJson } from "../core/json.ts";
import { quote } from "../core/quote.ts";
import { BridgeData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, type ExitCode, fail } from "./cli-command.ts";
import type { Io } from "./io.ts";

/** `bridge up`. */
export const bridgeUp = cliCommand({
  command: {
    usage: "bridge up",
    summary: "bring the bridge up, creating it if it is missing",
    flags: {},
    examples: [["outcall bridge up", "let the daemon decide again after `bridge down`"]],
  },
  run: (plan, io) => show(plan, io, { method: "POST", path: "/api/v1/bridge/up" }),
});

/** `bridge down`. */
export const bridgeDown = cliCommand({
  command: {
    usage: "bridge down",
    summary: "take the bridge down",
    details: "While the bridge is down, the daemon allows nothing.",
    flags: {},
    examples: [["outcall bridge down", "stop every agent at its next request"]],
  },
  run: (plan, io) => show(plan, io, { method: "POST", path: "/api/v1/bridge/down" }),
});

/** `bridge status`. */
export const bridgeStatus = cliCommand({
  command: {
    usage: "bridge status",
    summary: "show whether the bridge is up",
    flags: {},
    examples: [["outcall bridge status", "show the bridge's name and state"]],
  },
  run: (plan, io) => show(plan, io, { method: "GET", path: "/api/v1/bridge" }),
});

type Request = { readonly method: "GET" | "POST"; readonly path: string };

async function show(plan: CliPlan, io: Io, request: Request): Promise<ExitCode> {
  const bridge = await ask(plan, { ...request, data: BridgeData });
  if (!bridge.ok) return fail(io, bridge.error);
  const json = { version: 1, bridge: bridge.value };
  io.stdout(plan.flags.json ? `${formatJson(json)}\n` : describe(bridge.value));
  return 0;
}

function describe({ name, state }: BridgeData): string {
  return state === "none"
    ? "The daemon runs without a bridge (--bridge none).\n"
    : `Bridge ${quote(name)} is ${state}.\n`;
}
