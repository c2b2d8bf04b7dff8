import { describe, expect, test } from "bun:test";
import { formatDuration, formatStatus } from "../../src/cli/status.ts";
import type { StatusData } from "../../src/wire/host-api.ts";

const STATUS: StatusData = {
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
  counts: { allowed: 10, blocked: 4, refused: 1 },
  rulespec: { file: null, dir: "/etc/outcall/rulespecs" },
  decision_log: { file: "/var/lib/outcall/decisions.db", state: "ok" },
};

describe("formatStatus", () => {
  test("aligns everything", () => {
    expect(formatStatus(STATUS)).toBe(
      `State:         ready
Version:       0.1.0
Process:       4242, up 2 h 1 min since 2026-11-21T10:00:00.000Z
Rules:         12 in 3 files of /etc/outcall/rules.d, loaded 2026-11-21T10:00:00.000Z
Digest:        abababababababababababababababababababababababababababababababab
Warnings:      none
Last reload:   none
Bridge:        outcall0, up
Containers:    docker, ok, 2 sessions
Host socket:   /run/outcalld/host.sock
Agent socket:  /run/outcall/agent.sock
Decisions:     10 allowed, 4 blocked, 1 refused
Rulespec:      /etc/outcall/rulespecs
Decision log:  /var/lib/outcall/decisions.db, ok
`,
    );
  });

  test("says that the clock was set back", () => {
    expect(formatStatus({ ...STATUS, clock_behind_seconds: 7_265 })).toContain(
      "\nClock:         2 h 1 min behind the latest time seen: rules that expire are not in force\n",
    );
  });

  test("says what is wrong", () => {
    const text = formatStatus({
      ...STATUS,
      ready: false,
      reason: "bridge is down",
      rules: { ...STATUS.rules, warnings: ["a.yaml:1: first", "b.yaml:2: second\u001b[2J"] },
      last_reload: { at: "2026-11-21T11:00:00.000Z", ok: false, error: "a.yaml:3: bad" },
      bridge: { name: "none", state: "none" },
    });
    expect(text).toContain("State:         not ready: bridge is down\n");
    expect(text).toContain("Warnings:      a.yaml:1: first\n               b.yaml:2: second\\u{1b}[2J\n");
    expect(text).toContain("Last reload:   failed, 2026-11-21T11:00:00.000Z\nReload error:  a.yaml:3: bad\n");
    expect(text).toContain("Bridge:        none\n");
  });
});

describe("formatDuration", () => {
  const cases = [
    { seconds: 0, text: "0 s" },
    { seconds: 59, text: "59 s" },
    { seconds: 60, text: "1 min" },
    { seconds: 61, text: "1 min 1 s" },
    { seconds: 3_601, text: "1 h" },
    { seconds: 90_000, text: "1 d 1 h" },
    { seconds: 31_536_000, text: "365 d" },
  ];
  for (const { seconds, text } of cases) test(text, () => expect(formatDuration(seconds)).toBe(text));
});
