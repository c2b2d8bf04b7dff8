// The status of a daemon that has just started, from the daemon's own function.
import { parseArgv } from "../../src/command/parse-argv.ts";
import { configOf } from "../../src/daemon/config.ts";
import type { DecideDeps } from "../../src/decision/decide.ts";
import { OUTCALLD } from "../../src/daemon/program.ts";
import { createStatusReport, type ReportStatus } from "../../src/api/status-report.ts";
import type { Sessions } from "../../src/session/sessions.ts";

/** The status report for the dependencies of a bench. */
export function reportOf(deps: DecideDeps, sessions: Sessions): ReportStatus {
  const plan = parseArgv(OUTCALLD, [], {});
  if (!plan.ok || plan.value.kind !== "run") throw new Error("no plan");
  const config = configOf(plan.value);
  if (!config.ok) throw new Error(config.error.message);
  const status = { kind: "docker", ready: true, containers: 0, detail: "" } as const;
  return createStatusReport({
    config: config.value,
    deps,
    requests: { countPending: () => 0 },
    sessions,
    reloader: { last: { at: new Date(0), error: null } },
    containers: {
      kind: "docker",
      identify: () => Promise.reject(new Error("nobody is identified here")),
      status: () => status,
      onGone: () => () => {},
      close: () => {},
    },
    startedAt: new Date(0),
  });
}
