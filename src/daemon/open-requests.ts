// Stage: the rule requests. If the daemon was killed during an approval, the file of that approval is removed before rules are
// loaded, and its request is pending again before anything is served.
import type { URL } from "node:url";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import type { Reloader } from "../reload/reloader.ts";
import { AnalysisThread } from "../request/analysis-thread.ts";
import type { KeepEvent } from "../request/event.ts";
import { recoverRequests, removeHalfApproved } from "../request/recover.ts";
import { RuleRequests } from "../request/requests.ts";
import { hasStore, RequestStore } from "../request/request-store.ts";
import type { Config } from "./config.ts";
import { keepRequestEvent } from "./keep-change.ts";
import type { DecideDeps } from "../decision/decide.ts";
import { openStateDir } from "../state/state-dir.ts";

/** Removes the files of approvals that a kill interrupted, unless another daemon is running with this state directory. */
export function clearHalfApproved(config: Config): Result<null, Problem> {
  if (!hasStore(config.stateDir)) return ok(null);
  const state = openStateDir(config.stateDir);
  // Without the directory the start fails later, with this error.
  if (!state.ok) return state;
  const store = RequestStore.open(config.stateDir);
  const removed = store.ok ? removeHalfApproved(store.value, config.rulesDir) : store;
  if (store.ok) store.value.close();
  state.value.close();
  return removed.ok ? ok(null) : removed;
}

/** The options of the stage. */
export type OpenRequestsOptions = {
  readonly config: Config;
  readonly deps: DecideDeps;
  readonly reloader: Pick<Reloader, "reload">;
  /** The entry of the program, which also runs as the thread that analyses submissions. */
  readonly program: URL;
  /** Called whenever that thread ends. */
  readonly onThreadEnd: () => void;
};

/** Opens the requests of a state directory that is locked. */
export async function openRequests(
  stack: AsyncDisposableStack,
  { config, deps, reloader, program, onThreadEnd }: OpenRequestsOptions,
): Promise<Result<RuleRequests, Problem>> {
  const store = RequestStore.open(config.stateDir);
  if (!store.ok) return store;
  stack.defer(() => store.value.close());
  const keep: KeepEvent = async (event) => {
    const { kind, by, ...what } = event;
    const kept = await keepRequestEvent(deps.audit, deps.clock, event);
    if (kept.ok) deps.log.info(`rule-request.${kind}`, { ...what, uid: by.uid, user: by.name });
    return kept;
  };
  const { rulesDir } = config;
  const recovered = await recoverRequests(store.value, rulesDir, keep);
  if (!recovered.ok) return recovered;
  const onFailure = (reason: string) => deps.log.error("rule-request.analysis-failed", { reason });
  const analysis = new AnalysisThread({ program, onFailure, onEnd: onThreadEnd });
  stack.defer(() => analysis.close());
  const requests = new RuleRequests({
    store: store.value,
    rulesDir,
    rules: () => deps.rules.current.set,
    reload: async () => {
      const reloaded = await reloader.reload("approval");
      return reloaded.ok ? ok(null) : reloaded;
    },
    analyze: analysis.analyze,
    keep,
    now: () => deps.clock.now(),
  });
  return ok(requests);
}
