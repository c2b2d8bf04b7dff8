// `outcall status`: the state of the running daemon.
import { flagSwitch } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { StatusData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, fail } from "./cli-command.ts";
import { formatPairs } from "./layout.ts";

/** The command. */
export const status: CliCommand = {
  command: { path: ["status"], summary: "show the state of the daemon", arguments: [], flags: [] },
  run: async (plan, io) => {
    const found = await ask(plan, { method: "GET", path: "/api/v1/status", data: StatusData });
    if (!found.ok) return fail(io, found.error);
    io.stdout(
      flagSwitch(plan, "json") ? `${formatJson({ version: 1, status: found.value })}\n` : formatStatus(found.value),
    );
    return 0;
  },
};

/** The state as aligned lines. */
export function formatStatus(data: StatusData): string {
  const { rules, last_reload, bridge, containers, sockets, counts, decision_log, rulespec } = data;
  const { clock_behind_seconds: behind } = data;
  const error = last_reload?.error ?? null;
  return formatPairs([
    ["State", data.ready ? "ready" : `not ready: ${data.reason ?? "no reason given"}`],
    ["Version", data.version],
    ["Process", `${data.pid}, up ${formatDuration(data.uptime_seconds)} since ${data.started_at}`],
    ["Rules", `${rules.rules} in ${rules.files} files of ${rules.dir}, loaded ${rules.loaded_at}`],
    ["Digest", rules.digest],
    ["Warnings", rules.warnings.length === 0 ? "none" : rules.warnings.join("\n")],
    ["Last reload", last_reload === null ? "none" : `${last_reload.ok ? "ok" : "failed"}, ${last_reload.at}`],
    ...(error === null ? [] : [["Reload error", error] as const]),
    ["Bridge", bridge.name === bridge.state ? bridge.name : `${bridge.name}, ${bridge.state}`],
    ["Containers", `${containers.source}, ${containers.state}, ${containers.sessions} sessions`],
    ["Host socket", sockets.host],
    ["Agent socket", sockets.agent],
    ["Decisions", `${counts.allowed} allowed, ${counts.blocked} blocked, ${counts.refused} refused`],
    ...(behind === undefined ? [] : [
      [
        "Clock",
        `${formatDuration(behind)} behind the latest time seen: rules that expire are not in force`,
      ] as const,
    ]),
    ["Rulespec", rulespec.file ?? rulespec.dir ?? "none"],
    ["Decision log", `${decision_log.file}, ${decision_log.state}`],
  ]);
}

/** Seconds in their two largest units, for example `3 h 5 min`. */
export function formatDuration(seconds: number): string {
  const all: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ];
  const largest = all.findIndex(([count]) => count > 0);
  if (largest < 0) return "0 s";
  const shown = all.slice(largest, largest + 2).filter(([count]) => count > 0);
  return shown.map(([count, unit]) => `${count} ${unit}`).join(" ");
}
