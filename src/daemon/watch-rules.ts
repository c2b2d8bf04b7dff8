// Stage: watches the rules directory, and reloads the rules after a change.
import type { Log } from "../log/logger.ts";
import type { Reloader } from "../reload/reloader.ts";
import { RulesWatch } from "../reload/watch.ts";
import type { Fingerprint } from "../rule/fingerprint.ts";
import type { ReportBug } from "../server/mount.ts";
import type { Config } from "./config.ts";

/** The options of the stage. */
export type WatchRulesOptions = {
  readonly config: Config;
  readonly reloader: Reloader;
  /** The fingerprint of the rules that are in force. */
  readonly first: Fingerprint;
  readonly log: Log;
  readonly reportBug: ReportBug;
};

/** Watches the rules directory, unless the daemon was told not to. */
export function watchRules(stack: AsyncDisposableStack, options: WatchRulesOptions): void {
  const { config, reloader, first, log, reportBug } = options;
  if (!config.watch) return;
  const onQuiet = (now: Fingerprint) => {
    if (!reloader.hasLoaded(now)) reloader.reload("watch").catch(reportBug);
  };
  const watch = new RulesWatch({ dir: config.rulesDir, onQuiet, log, reportBug }, first);
  stack.defer(() => watch.close());
}
