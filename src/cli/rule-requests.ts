// `outcall rule requests`: what agents have asked for (S003-IF-007).
import { formatJson } from "../core/json.ts";
import { RuleRequestList } from "../wire/request-host.ts";
import { foldToLine } from "./ascii.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { formatTable } from "./layout.ts";

/** Longest description in the table, in characters. */
const DESCRIPTION_LENGTH = 200;

/** The command. */
export const ruleRequests = cliCommand({
  command: {
    usage: "rule requests",
    summary: "list the rule requests of agents",
    flags: {
      status: {
        value: "status",
        summary: "show only requests with this status",
        choices: ["pending", "approved", "rejected", "denied"],
      },
    },
    examples: [["outcall rule requests --status pending", "list the requests that wait for a decision"]],
  },
  run: async (plan, io) => {
    const status = plan.flags.status;
    const path = `/api/v1/rule-requests${status === undefined ? "" : `?status=${status}`}`;
    const requests = await ask(plan, { method: "GET", path, data: RuleRequestList });
    if (!requests.ok) return fail(io, requests.error);
    if (plan.flags.json) {
      io.stdout(`${formatJson({ version: 1, requests: requests.value })}\n`);
      return 0;
    }
    const rows = requests.value.map(({ id, submitted_at, status, description }) => {
      return [id, submitted_at, status, foldToLine(description, DESCRIPTION_LENGTH)];
    });
    io.stdout(formatTable(["ID", "SUBMITTED", "STATUS", "DESCRIPTION"], rows));
    return 0;
  },
});
