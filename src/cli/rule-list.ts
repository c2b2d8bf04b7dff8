// `outcall rule list`: the loaded rules in evaluation order (S003-IF-002, AS-015).
import { flagSwitch } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { RuleList } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, fail } from "./cli-command.ts";
import { formatTable, lookOf, wordCell } from "./layout.ts";

/** The command. */
export const ruleList: CliCommand = {
  command: {
    path: ["rule", "list"],
    summary: "list the loaded rules in the order they are asked",
    arguments: [],
    flags: [],
  },
  run: async (plan, io) => {
    const rules = await ask(plan, { method: "GET", path: "/api/v1/rules", data: RuleList });
    if (!rules.ok) return fail(io, rules.error);
    if (flagSwitch(plan, "json")) {
      io.stdout(`${formatJson({ version: 1, rules: rules.value })}\n`);
      return 0;
    }
    if (rules.value.length === 0) {
      io.stdout("no rules are loaded: every request is blocked\n");
      return 0;
    }
    const rows = rules.value.map((rule) => [rule.id, rule.file, wordCell(rule.action), rule.condition_preview]);
    io.stdout(formatTable(["ID", "FILE", "ACTION", "CONDITION"], rows, lookOf(plan, io)));
    return 0;
  },
};
