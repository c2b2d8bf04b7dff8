// The rule requests of a daemon from its state directory, and what an approval that a kill cut off left behind: its file
// goes before any rules are loaded, its request is pending again before anything is served.
import type { URL } from "node:url";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import { AnalysisThread } from "../request/analysis-thread.ts";
import type { Reload } from "../request/approve.ts";
import type { KeepEvent } from "../request/event.ts";
import { recoverRequests, removeHalfApproved } from "../request/recover.ts";
import { RuleRequests } from "../request/requests.ts";
import { hasStore, RequestStore } from "../request/request-store.ts";
import type { Config } from "./config.ts";
import type { DecideDeps } from "../decision/decide.ts";
import { openStateDir } from "../state/state-dir.ts";

/** Removes files of approvals that were cut off; what another daemon that runs has under way is its own. */
export function clearHalfApproved(config: Config): Result<null, Problem> {
  if (!hasStore(config.stateDir)) return ok(null);
  const state = openStateDir(config.stateDir);
  // Whoever cannot have the directory will not get to serve anything.
  if (!state.ok) return state;
  const store = RequestStore.open(config.stateDir);
  const removed = store.ok ? removeHalfApproved(store.value, config.rulesDir) : store;
  if (store.ok) store.value.close();
  state.value.close();
  return removed.ok ? ok(null) : removed;
}

/** The requests, and what ends them with the daemon. */
export type OpenRequests = { readonly requests: RuleRequests; readonly close: () => Promise<void> };

/** What an open store works with. */
export type OpenRequestsOptions = {
  readonly config: Config;
  readonly deps: DecideDeps;
  readonly reload: Reload;
  /** The entry of the program, which runs as the thread that analyses. */
  readonly program: URL;
  /** Called whenever that thread ends. */
  readonly onThreadEnd: () => void;
  /** Keeps evidence beside the log's. */
  readonly keep: KeepEvent;
};

/** Opens the requests of a state directory that is locked. */
export async function openRequests(options: OpenRequestsOptions): Promise<Result<OpenRequests, Problem>> {
  const { config, deps, reload, program, onThreadEnd } = options;
  const store = RequestStore.open(config.stateDir);
  if (!store.ok) return store;
  const keep: KeepEvent = async (event) => {
    const { kind, by, ...what } = event;
    const kept = await options.keep(event);
    if (kept.ok) deps.log.info(`rule-request.${kind}`, { ...what, uid: by.uid, user: by.name });
    return kept;
  };
  const { rulesDir } = config;
  const recovered = await recoverRequests(store.value, rulesDir, keep);
  if (!recovered.ok) {
    store.value.close();
    return recovered;
  }
  const onFailure = (reason: string) => deps.log.error("rule-request.analysis-failed", { reason });
  const analysis = new AnalysisThread({ program, onFailure, onEnd: onThreadEnd });
  const requests = new RuleRequests({
    store: store.value,
    rulesDir,
    rules: () => deps.rules.current.set,
    reload,
    analyze: analysis.analyze,
    keep,
    now: () => deps.clock.now(),
  });
  const close = async () => {
    await analysis.close();
    store.value.close();
  };
  return ok({ requests, close });
}
