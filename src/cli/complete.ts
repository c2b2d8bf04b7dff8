// `outcall complete <what>`: ids for completion scripts, one a line. Ids that a shell would have to quote are left out. The
// scripts discard standard error, so that a missing daemon does not disturb a person who types.
import type { RunPlan } from "../command/command.ts";
import { didYouMean } from "../core/nearest.ts";
import { type Problem, problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { ContainerList, RuleList } from "../wire/host-api.ts";
import { RuleRequestList } from "../wire/request-host.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, fail } from "./cli-command.ts";

/** How long a completion waits for the daemon, in milliseconds. */
const TIMEOUT_MS = 2_000;

type Listing = (plan: RunPlan) => Promise<Result<readonly string[], Problem>>;

const LISTINGS: Readonly<Record<string, Listing>> = {
  rules: async (plan) => {
    const rules = await ask(plan, { method: "GET", path: "/api/v1/rules", data: RuleList, timeoutMs: TIMEOUT_MS });
    return rules.ok ? ok(rules.value.map(({ id }) => id)) : rules;
  },
  requests: (plan) => listRequests(plan, "/api/v1/rule-requests"),
  "pending-requests": (plan) => listRequests(plan, "/api/v1/rule-requests?status=pending"),
  containers: async (plan) => {
    const path = "/api/v1/containers";
    const containers = await ask(plan, { method: "GET", path, data: ContainerList, timeoutMs: TIMEOUT_MS });
    return containers.ok ? ok(containers.value.flatMap(({ id, name }) => [name, id])) : containers;
  },
};

/** The kinds of ids that can be listed. */
export const LISTED: readonly string[] = Object.keys(LISTINGS);

/** The command. */
export const complete: CliCommand = {
  command: {
    path: ["complete"],
    summary: "list ids for a completion script",
    arguments: [{ name: "what", required: true }],
    flags: [],
    hidden: true,
  },
  run: async (plan, io) => {
    const what = plan.arguments[0] ?? "";
    const list = Object.hasOwn(LISTINGS, what) ? LISTINGS[what] : undefined;
    const listed = list === undefined ? err(unknownListing(what)) : await list(plan);
    if (!listed.ok) return fail(io, listed.error);
    for (const id of new Set(listed.value)) if (/^[A-Za-z0-9._:-]+$/.test(id)) io.stdout(`${id}\n`);
    return 0;
  },
};

async function listRequests(plan: RunPlan, path: string): Promise<Result<readonly string[], Problem>> {
  const requests = await ask(plan, { method: "GET", path, data: RuleRequestList, timeoutMs: TIMEOUT_MS });
  return requests.ok ? ok(requests.value.map(({ id }) => id)) : requests;
}

function unknownListing(what: string): Problem {
  const hint = didYouMean(what, LISTED) ?? `one of ${LISTED.join(", ")}`;
  return problem("command.usage", `nothing is listed as ${quote(what)}`, { hint });
}
