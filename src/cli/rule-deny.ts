// `outcall rule deny <id>`: denies a rule request, with a reason that the agent may read (S003-IF-009, AS-014).
import { formatJson } from "../core/json.ts";
import { quote } from "../core/quote.ts";
import { RuleRequestData } from "../wire/request-host.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { requestPath } from "./rule-request.ts";

/** The command. */
export const ruleDeny = cliCommand({
  command: {
    usage: "rule deny <id>",
    summary: "deny a rule request",
    completes: { listed: "pending-requests" },
    flags: { reason: { value: "text", summary: "the reason, which the agent can read" } },
    examples: [["outcall rule deny rr-0a1b2c3d4e5f --reason 'use the package mirror'", "deny a request and say why"]],
  },
  run: async (plan, io) => {
    const id = plan.arguments.id;
    const reason = plan.flags.reason;
    const body = reason === undefined ? {} : { reason };
    const denied = await ask(plan, { method: "POST", path: requestPath(id, "deny"), body, data: RuleRequestData });
    if (!denied.ok) return fail(io, denied.error);
    io.stdout(
      plan.flags.json
        ? `${formatJson({ version: 1, request: denied.value })}\n`
        : `Rule request ${quote(id)} denied.\n`,
    );
    return 0;
  },
});
