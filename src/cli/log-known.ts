// The names in `--container` and `--rule` of `outcall log`. A name that was never seen is an error, because an empty table
// would read as "nothing happened".
import type { DatabaseSync } from "node:sqlite";
import { hasContainer, hasRule, namesIn, type Query } from "../audit/read.ts";
import { DEFAULT_BLOCK } from "../core/decision.ts";
import { didYouMean } from "../core/nearest.ts";
import { type Problem, problem } from "../core/problem.ts";
import { escapeText, quote } from "../core/quote.ts";
import { ContainerList, RuleList } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";
import type { LogPlan } from "./log-query.ts";

/** How long the daemon may take to list its names, in milliseconds; without an answer only the log's names are known. */
const TIMEOUT_MS = 2_000;

/** The problem of a name that neither the log nor the daemon knows, or null. */
export async function findUnknown(db: DatabaseSync, query: Query, plan: LogPlan): Promise<Problem | null> {
  const { container, rule } = query;
  if (container !== null && !hasContainer(db, container)) {
    const live = await listContainers(plan);
    if (!live.some(({ id, name }) => name === container || matchesId(container, id))) {
      return unknown("container", container, [...namesIn(db, "name"), ...live.map(({ name }) => name)]);
    }
  }
  if (rule === null || rule === DEFAULT_BLOCK) return null;
  if (hasRule(db, rule)) return null;
  const live = await listRules(plan);
  return live.includes(rule) ? null : unknown("rule", rule, [...namesIn(db, "rule"), ...live]);
}

function unknown(what: string, name: string, known: readonly string[]): Problem {
  const hint = didYouMean(name, known.map((each) => escapeText(each)));
  const message = `${what} ${quote(name)} is neither in the decision log nor known to the daemon`;
  return problem("command.input", message, hint === undefined ? {} : { hint });
}

// The daemon gives full ids; people type the beginning, with or without `ctr-`.
function matchesId(typed: string, id: string): boolean {
  const digits = /^(?:ctr-)?([0-9a-f]{12,64})$/.exec(typed)?.[1];
  return typed === id || (digits !== undefined && id.startsWith(digits));
}

async function listContainers(plan: LogPlan): Promise<ContainerList> {
  if (!hasDaemon(plan)) return [];
  const path = "/api/v1/containers";
  const listed = await ask(plan, { method: "GET", path, data: ContainerList, timeoutMs: TIMEOUT_MS });
  return listed.ok ? listed.value : [];
}

async function listRules(plan: LogPlan): Promise<readonly string[]> {
  if (!hasDaemon(plan)) return [];
  const listed = await ask(plan, { method: "GET", path: "/api/v1/rules", data: RuleList, timeoutMs: TIMEOUT_MS });
  return listed.ok ? listed.value.map(({ id }) => id) : [];
}

// If only a state directory is named, it may belong to another daemon.
function hasDaemon(plan: LogPlan): boolean {
  return !plan.given["state-dir"] || plan.given.socket;
}
