// `outcall rule deny <id>`: denies a rule request, with a reason that the agent may read (S003-IF-009, AS-014).
import { flagSwitch, flagText } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { quote } from "../core/quote.ts";
import { RuleRequestData } from "../wire/request-host.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, fail } from "./cli-command.ts";
import { requestPath } from "./rule-request.ts";

/** The command. */
export const ruleDeny: CliCommand = {
  command: {
    path: ["rule", "deny"],
    summary: "deny what an agent asks for",
    arguments: [{ name: "id", required: true, completes: { listed: "pending-requests" } }],
    flags: [{ name: "reason", value: "text", summary: "why, for the agent to read" }],
  },
  run: async (plan, io) => {
    const id = plan.arguments[0] ?? "";
    const reason = flagText(plan, "reason");
    const body = reason === undefined ? {} : { reason };
    const denied = await ask(plan, { method: "POST", path: requestPath(id, "deny"), body, data: RuleRequestData });
    if (!denied.ok) return fail(io, denied.error);
    io.stdout(
      flagSwitch(plan, "json")
        ? `${formatJson({ version: 1, request: denied.value })}\n`
        : `Rule request ${quote(id)} denied.\n`,
    );
    return 0;
  },
};
