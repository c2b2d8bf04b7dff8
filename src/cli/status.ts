// `outcall status`: the state of the running daemon, with what needs attention first.
import { countOf } from "../core/count.ts";
import { formatJson } from "../core/json.ts";
import { StatusData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { formatAge, formatDuration } from "./duration.ts";
import { type Cell, formatPairs, type Look, lookOf } from "./layout.ts";

/** The command. */
export const status = cliCommand({
  command: {
    usage: "status",
    summary: "show the state of the daemon",
    flags: {},
    examples: [
      ["outcall status", "show whether the daemon is ready, its rules, sockets and counters"],
      ["outcall status --json", "print the same as JSON, for a health check"],
    ],
  },
  run: async (plan, io) => {
    const found = await ask(plan, { method: "GET", path: "/api/v1/status", data: StatusData });
    if (!found.ok) return fail(io, found.error);
    const isJson = plan.flags.json;
    io.stdout(
      isJson ? `${formatJson({ version: 1, status: found.value })}\n` : formatStatus(found.value, lookOf(plan, io)),
    );
    return 0;
  },
});

/** The state as aligned lines; without a look, in the form for a pipe. */
export function formatStatus(data: StatusData, look?: Look): string {
  const { rules, bridge, containers, sockets, counts, decision_log, rulespec } = data;
  // All times in the data are of the daemon's clock, so ages are computed by it too.
  const now = new Date(Date.parse(data.started_at) + data.uptime_seconds * 1_000);
  const exactly = (at: string) => look === undefined || look.columns === null ? ` (${at})` : "";
  const since = (at: string) => `${formatAge(at, now)} ago${exactly(at)}`;
  const pairs: readonly (readonly [label: string, value: Cell])[] = [
    ["State", stateCell(data)],
    ["Version", data.version],
    ["Process", `${data.pid}, up ${formatDuration(data.uptime_seconds)}${exactly(data.started_at)}`],
    ["Requests", requestsCell(data)],
    ["Decisions", `${counts.allowed} allowed, ${counts.blocked} blocked, ${counts.refused} refused`],
    ...clockPairs(data),
    ["Rules", `${rules.rules} in ${countOf(rules.files, "file")} of ${rules.dir}, loaded ${since(rules.loaded_at)}`],
    ["Warnings", warningsCell(rules)],
    ...reloadPairs(data, since),
    ["Containers", `${containers.source}, ${containers.state}, ${countOf(containers.sessions, "session")}`],
    ["Bridge", bridge.name === bridge.state ? bridge.name : `${bridge.name}, ${bridge.state}`],
    ["Rulespec", rulespec.file ?? rulespec.dir ?? "none"],
    ["Host socket", sockets.host],
    ["Agent socket", sockets.agent],
    ...(data.operators_group === null ? [] : [["Operators", `group ${data.operators_group} may read`] as const]),
    ["Digest", rules.digest],
    ["Decision log", goodIf(decision_log.state === "ok", `${decision_log.file}, ${decision_log.state}`)],
  ];
  return formatPairs(pairs, look);
}

function stateCell({ ready, reason }: StatusData): Cell {
  return ready ? { text: "ready", style: "good" } : { text: `not ready: ${reason ?? "no reason given"}`, style: "bad" };
}

function requestsCell({ requests: { pending } }: StatusData): Cell {
  if (pending === null) return { text: "not available", style: "bad" };
  if (pending === 0) return "none pending";
  return { text: `${pending} pending (outcall rule requests --status pending)`, style: "warning" };
}

/** Most warnings that are shown; `outcall lint` shows all of them, with their lines. */
const WARNINGS_SHOWN = 10;

function warningsCell({ warnings, dir }: StatusData["rules"]): Cell {
  if (warnings.length === 0) return "none";
  const more = warnings.length - WARNINGS_SHOWN;
  const rest = more > 0 ? [`and ${more} more: outcall lint ${dir}`] : [];
  return { text: [...warnings.slice(0, WARNINGS_SHOWN), ...rest].join("\n"), style: "warning" };
}

function reloadPairs(
  { last_reload }: StatusData,
  since: (at: string) => string,
): readonly (readonly [label: string, value: Cell])[] {
  if (last_reload === null) return [["Last reload", "none"]];
  const { ok, at, error } = last_reload;
  const last = [
    "Last reload",
    goodIf(ok, ok ? `ok, ${since(at)}` : `failed, ${since(at)}: the previous rules stay active`),
  ] as const;
  return error === null ? [last] : [last, ["Reload error", { text: error, style: "bad" }]];
}

// Shown only while the clock is behind the latest time that the daemon has seen.
function clockPairs({ clock_behind_seconds: behind }: StatusData): readonly (readonly [label: string, value: Cell])[] {
  if (behind === undefined) return [];
  const text = `${formatDuration(behind)} behind the latest time seen: rules that expire are not in force`;
  return [["Clock", { text, style: "bad" }]];
}

function goodIf(isGood: boolean, text: string): Cell {
  return isGood ? text : { text, style: "bad" };
}
