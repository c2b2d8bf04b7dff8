// `outcall rule requests`: the rule requests of agents (S003-IF-007).
import { systemClock } from "../core/clock.ts";
import { formatJson } from "../core/json.ts";
import { REQUEST_STATUSES, type RuleRequestData, RuleRequestList } from "../wire/request-host.ts";
import { foldToLine } from "./ascii.ts";
import { ask } from "./ask-daemon.ts";
import { cliCommand, fail } from "./cli-command.ts";
import { formatAge } from "./duration.ts";
import { formatTable, type Look, lookOf, wordCell } from "./layout.ts";

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
        choices: REQUEST_STATUSES,
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
    if (requests.value.length === 0) {
      io.stdout(`no ${status === undefined ? "" : `${status} `}rule requests\n`);
      return 0;
    }
    const look = lookOf(plan, io);
    io.stdout(look.columns === null ? formatWhole(requests.value) : formatShort(requests.value, look));
    return 0;
  },
});

/** Longest name or access in the table, in characters. */
const CELL_LENGTH = 200;

function formatWhole(requests: readonly RuleRequestData[]): string {
  const headings = ["ID", "SUBMITTED", "STATUS", "DESCRIPTION", "AGE", "CONTAINER", "ASKS FOR"];
  const now = systemClock.now();
  const rows = requests.map((request) => {
    const { id, submitted_at, status } = request;
    return [id, submitted_at, status, descriptionOf(request), formatAge(submitted_at, now), ...askedOf(request)];
  });
  return formatTable(headings, rows);
}

// A terminal shows the submission time as an age, to save a column.
function formatShort(requests: readonly RuleRequestData[], look: Look): string {
  const headings = ["ID", "SUBMITTED", "STATUS", "DESCRIPTION", "CONTAINER", "ASKS FOR"];
  const now = systemClock.now();
  const rows = requests.map((request) => {
    const age = `${formatAge(request.submitted_at, now)} ago`;
    return [request.id, age, wordCell(request.status), descriptionOf(request), ...askedOf(request)];
  });
  return formatTable(headings, rows, look);
}

function descriptionOf({ description }: RuleRequestData): string {
  return foldToLine(description, DESCRIPTION_LENGTH);
}

// The container's name, and the requested access with the suggested condition.
function askedOf({ container, requested_access, suggested_condition }: RuleRequestData): readonly [string, string] {
  const asked = suggested_condition === null ? requested_access : `${requested_access}: ${suggested_condition}`;
  return [foldToLine(container.name, CELL_LENGTH), foldToLine(asked, CELL_LENGTH)];
}
