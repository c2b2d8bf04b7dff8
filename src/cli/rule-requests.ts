// `outcall rule requests`: what agents have asked for (S003-IF-007).
import { flagSwitch, flagText } from "../command/command.ts";
import { formatJson } from "../core/json.ts";
import { RuleRequestList } from "../wire/request-host.ts";
import { foldToLine } from "./ascii.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, fail } from "./cli-command.ts";
import { formatTable } from "./layout.ts";

/** Longest description in the table, in characters. */
const DESCRIPTION_LENGTH = 200;

/** The command. */
export const ruleRequests: CliCommand = {
  command: {
    path: ["rule", "requests"],
    summary: "list the rules that agents ask for",
    arguments: [],
    flags: [{
      name: "status",
      value: "status",
      summary: "only those that stand so",
      choices: ["pending", "approved", "rejected", "denied"],
    }],
  },
  run: async (plan, io) => {
    const status = flagText(plan, "status");
    const path = `/api/v1/rule-requests${status === undefined ? "" : `?status=${status}`}`;
    const requests = await ask(plan, { method: "GET", path, data: RuleRequestList });
    if (!requests.ok) return fail(io, requests.error);
    if (flagSwitch(plan, "json")) {
      io.stdout(`${formatJson({ version: 1, requests: requests.value })}\n`);
      return 0;
    }
    const rows = requests.value.map(({ id, submitted_at, status, description }) => {
      return [id, submitted_at, status, foldToLine(description, DESCRIPTION_LENGTH)];
    });
    io.stdout(formatTable(["ID", "SUBMITTED", "STATUS", "DESCRIPTION"], rows));
    return 0;
  },
};
