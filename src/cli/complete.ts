// `outcall complete -- <words>`: the completion scripts call it while a person types. It prints one candidate a line,
// `word<tab>summary`, or `:file` or `:directory`. Without a daemon it prints no ids, and no error message.
import { type Offer, offerAt } from "../command/completion.ts";
import type { Program } from "../command/command.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { ContainerList, RuleList } from "../wire/host-api.ts";
import { RuleRequestList } from "../wire/request-host.ts";
import { ask } from "./ask-daemon.ts";
import { type CliCommand, cliCommand, fail } from "./cli-command.ts";
import type { CliPlan } from "./global-flags.ts";

/** The time that a completion waits for the daemon, in milliseconds. */
const TIMEOUT_MS = 2_000;

type Listing = (plan: CliPlan) => Promise<Result<readonly string[], Problem>>;

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

/** The command; it needs the table of the whole program. */
export function completeOf(program: () => Program): CliCommand {
  return cliCommand({
    command: {
      usage: "complete [...word]",
      summary: "list what may stand in place of the last word",
      flags: {},
      examples: [],
      raw: true,
      hidden: true,
    },
    run: async (plan, io) => {
      const { offer, current, given } = offerAt(program(), plan.arguments.word);
      // Ask the daemon that the typed command line names.
      const socket = given.get("socket") ?? plan.flags.socket;
      const lines = await linesOf(offer, { ...plan, flags: { ...plan.flags, socket } });
      if (!lines.ok) return fail(io, lines.error);
      for (const line of new Set(lines.value)) {
        if (line.startsWith(":") || line.startsWith(current)) io.stdout(`${line}\n`);
      }
      return 0;
    },
  });
}

/** A word that needs no quotes in any shell. */
const PLAIN_WORD = /^[A-Za-z0-9._][A-Za-z0-9._:-]*$/;

async function linesOf(offer: Offer, plan: CliPlan): Promise<Result<readonly string[], Problem>> {
  if (typeof offer === "string") return ok([`:${offer}`]);
  if (!("listed" in offer)) return ok(offer.map(({ word, summary }) => summary === "" ? word : `${word}\t${summary}`));
  const listed = await LISTINGS[offer.listed]?.(plan) ?? ok([]);
  return listed.ok ? ok(listed.value.filter((id) => PLAIN_WORD.test(id))) : listed;
}

async function listRequests(plan: CliPlan, path: string): Promise<Result<readonly string[], Problem>> {
  const requests = await ask(plan, { method: "GET", path, data: RuleRequestList, timeoutMs: TIMEOUT_MS });
  return requests.ok ? ok(requests.value.map(({ id }) => id)) : requests;
}
