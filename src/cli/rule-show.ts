// `outcall rule show <id>`: one rule in full, with its definitions expanded (S003-IF-003).
import { formatJson } from "../core/json.ts";
import { RuleDetail } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { formatPairs } from "./layout.ts";

/** The command. */
export const ruleShow = cliCommand({
  command: {
    usage: "rule show <id>",
    summary: "show one rule in full",
    completes: { listed: "rules" },
    flags: {},
    examples: [["outcall rule show allow-git", "show a rule with its definitions expanded"]],
  },
  run: async (plan, io) => {
    const id = encodeURIComponent(plan.arguments.id.toWellFormed());
    const rule = await ask(plan, { method: "GET", path: `/api/v1/rule/${id}`, data: RuleDetail });
    if (!rule.ok) return fail(io, rule.error);
    io.stdout(
      plan.flags.json ? `${formatJson({ version: 1, rule: rule.value })}\n` : formatRule(rule.value),
    );
    return 0;
  },
});

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
