// `outcall rule show <id>`: one rule in full, with its definitions expanded (S003-IF-003).
import { flagSwitch } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { RuleDetail } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, fail } from "./cli-command.ts";
import { formatPairs } from "./layout.ts";

/** The command. */
export const ruleShow: CliCommand = {
  command: {
    path: ["rule", "show"],
    summary: "show one rule in full",
    arguments: [{ name: "id", required: true, completes: { listed: "rules" } }],
    flags: [],
  },
  run: async (plan, io) => {
    const id = encodeURIComponent((plan.arguments[0] ?? "").toWellFormed());
    const rule = await ask(plan, { method: "GET", path: `/api/v1/rule/${id}`, data: RuleDetail });
    if (!rule.ok) return fail(io, rule.error);
    io.stdout(
      flagSwitch(plan, "json") ? `${formatJson({ version: 1, rule: rule.value })}\n` : formatRule(rule.value),
    );
    return 0;
  },
};

function formatRule(rule: RuleDetail): string {
  const { reason, egress, expires, enrich } = rule;
  return formatPairs([
    ["Rule", rule.id],
    ["File", rule.file],
    ["Action", rule.action],
    ["Priority", String(rule.priority)],
    ["Log", String(rule.log)],
    ["Description", rule.description ?? "-"],
    ...(reason === null ? [] : [["Reason", reason] as const]),
    ...(egress === null ? [] : [["Egress", egressText(egress)] as const]),
    ...(expires === undefined ? [] : [["Expires", expires] as const]),
    ...(enrich === null ? [] : [["Enrich", `${enrich.script}, at most ${enrich.timeout_ms} ms`] as const]),
    ["Condition", rule.condition],
  ]);
}

function egressText({ mode, addresses = [] }: NonNullable<RuleDetail["egress"]>): string {
  return [...(mode === undefined ? [] : [mode]), ...addresses].join(", ");
}
