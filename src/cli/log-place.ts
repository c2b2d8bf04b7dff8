// Where the files of the decision log are. Commands read the files themselves, so that they work without a daemon.
import { dirname, resolve } from "node:path";
import { defineFlags } from "../command/command.ts";
import type { CliPlan } from "./global-flags.ts";
import { DEFAULT_STATE_DIR } from "../core/defaults.ts";
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { StatusData } from "../wire/host-api.ts";
import { ask } from "./ask-daemon.ts";

/** How long a daemon may take to name its state directory, in milliseconds; without an answer the default is read. */
const STATUS_TIMEOUT_MS = 2_000;

/** The flag that names the state directory. */
export const STATE_DIR_FLAG = defineFlags({
  "state-dir": {
    value: "path",
    summary: "read the log in this state directory; needs no daemon",
    otherwise: `the running daemon's, else ${DEFAULT_STATE_DIR}`,
    completes: "directory",
  },
});

/** The state directory: the given one, else the running daemon's, else the default. */
export async function findStateDir(plan: CliPlan<typeof STATE_DIR_FLAG>): Promise<Result<string, Problem>> {
  const given = plan.flags["state-dir"];
  if (given !== undefined) return ok(resolve(given));
  const status = await ask(plan, {
    method: "GET",
    path: "/api/v1/status",
    data: StatusData,
    timeoutMs: STATUS_TIMEOUT_MS,
  });
  if (status.ok) return ok(dirname(status.value.decision_log.file));
  // An operator who names a daemon wants the log of that daemon, not the default one.
  if (!plan.given.socket) return ok(DEFAULT_STATE_DIR);
  const hint = status.error.hint ?? "name the state directory with --state-dir to read the log without a daemon";
  return err({ ...status.error, hint });
}
