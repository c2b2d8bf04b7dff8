// The status of a daemon, in the form of its status answer.
import type { StatusData } from "../../../src/wire/host-api.ts";

/** A daemon that is ready, with Docker and two pending requests. */
export const STATUS: StatusData = {
  version: "0.1.0",
  pid: 4242,
  started_at: "2026-11-21T10:00:00.000Z",
  uptime_seconds: 7_265,
  ready: true,
  reason: null,
  rules: {
    dir: "/etc/outcall/rules.d",
    digest: "ab".repeat(32),
    files: 3,
    rules: 12,
    warnings: [],
    loaded_at: "2026-11-21T10:00:00.000Z",
  },
  last_reload: null,
  bridge: { name: "outcall0", state: "up" },
  containers: { source: "docker", state: "ok", sessions: 2 },
  sockets: { host: "/run/outcalld/host.sock", agent: "/run/outcall/agent.sock" },
  operators_group: null,
  counts: { allowed: 10, blocked: 4, refused: 1 },
  requests: { pending: 2 },
  rulespec: { file: null, dir: "/etc/outcall/rulespecs" },
  decision_log: { file: "/var/lib/outcall/decisions.db", state: "ok" },
};
