import { describe, expect, test } from "bun:test";
import { formatStatus } from "../../src/cli/status.ts";
import { STATUS } from "../support/program/status-data.ts";

describe("formatStatus", () => {
  test("aligns everything", () => {
    expect(formatStatus(STATUS)).toBe(
      `State:         ready
Version:       0.1.0
Process:       4242, up 2 h 1 min (2026-11-21T10:00:00.000Z)
Requests:      2 pending (outcall rule requests --status pending)
Decisions:     10 allowed, 4 blocked, 1 refused
Rules:         12 in 3 files of /etc/outcall/rules.d, loaded 2 h ago (2026-11-21T10:00:00.000Z)
Warnings:      none
Last reload:   none
Containers:    docker, ok, 2 sessions
Bridge:        outcall0, up
Rulespec:      /etc/outcall/rulespecs
Host socket:   /run/outcalld/host.sock
Agent socket:  /run/outcall/agent.sock
Digest:        abababababababababababababababababababababababababababababababab
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
    expect(text).toContain(
      "Last reload:   failed, 1 h ago (2026-11-21T11:00:00.000Z): the previous rules stay active\nReload error:  a.yaml:3: bad\n",
    );
    expect(text).toContain("Bridge:        none\n");
  });

  test("D: counts the pending requests, and colours what needs attention", () => {
    const paint = (text: string, style: string) => `<${style} ${text}>`;
    const look = { columns: 80, paint };
    expect(formatStatus(STATUS, look)).toContain("Requests:      <warning 2 pending (outcall rule requests");
    expect(formatStatus(STATUS, look)).toContain("State:         <good ready>\n");
    expect(formatStatus({ ...STATUS, requests: { pending: 0 } }, look)).toContain("Requests:      none pending\n");
    expect(formatStatus({ ...STATUS, requests: { pending: null } }, look)).toContain("<bad not available>");
    expect(formatStatus({ ...STATUS, ready: false, reason: "x" }, look)).toContain("<bad not ready: x>");
  });

  test("A5: one file, one session", () => {
    const rules = { ...STATUS.rules, files: 1 };
    const text = formatStatus({ ...STATUS, rules, containers: { ...STATUS.containers, sessions: 1 } });
    expect(text).toContain("12 in 1 file of /etc/outcall/rules.d");
    expect(text).toContain("docker, ok, 1 session\n");
  });
});
