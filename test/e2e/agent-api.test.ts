// The agent socket of the built daemon, from inside containers: every call, every status, the order of the checks.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AgentContainer, type Checkin } from "../support/agent/container.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { ALLOWED, BODY_LIMIT, CHECK, CODE_OF, ORDERS, REFUSALS } from "../support/agent/refusals.ts";
import { askOnce, type RawRequest } from "../support/socket/raw-http.ts";

const RULES = {
  "00-test.yaml": `version: "1"
rules:
  - {id: no-rm, condition: 'run.tool == "rm"', action: block, reason: ask before you delete}
  - {id: no-dd, condition: 'run.tool == "dd"', action: block}
  - {id: echo, condition: 'run.path == "/bin/echo"', action: allow}
`,
};

const { label, skip } = requirement("the agent API", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  let first: AgentContainer;
  let second: AgentContainer;
  let own: Checkin;

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
    const start = (name: string) => AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket);
    [first, second] = await Promise.all([start("first"), start("second")]);
    own = await first.checkIn();
  });
  afterAll(async () => {
    await first?.stop();
    await second?.stop();
    await daemon?.dispose();
  });

  test("check-in gives id, token and context keys, and nothing else", async () => {
    const { status, body } = await first.ask({ path: "/v1/checkin" });
    expect({ status, body: JSON.parse(body) }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          container_id: expect.stringMatching(/^ctr-[0-9a-f]{12}$/),
          session_token: expect.stringMatching(/^tok-[A-Za-z0-9_-]{43}$/),
          context_keys: ["action_type", "target", "metadata"],
        },
      },
    });
  });

  test("check-in again, also at the same time, gives the same session; another container gets another (EC-004)", async () => {
    const again = await Promise.all(Array.from({ length: 8 }, () => first.checkIn()));
    for (const each of again) {
      expect(each).toEqual({ ...own, context_keys: ["action_type", "target", "metadata"] } as Checkin);
    }
    const other = await second.checkIn();
    expect(other.container_id).not.toBe(own.container_id);
    expect(other.session_token).not.toBe(own.session_token);
    const status = await askOnce(daemon.files.hostSocket, { method: "GET", path: "/api/v1/status" });
    expect(JSON.parse(status.body).data.containers.sessions).toBe(2);
  });

  const verdicts: readonly { note: string; asked: object; verdict: object }[] = [
    {
      note: "allowed",
      asked: ALLOWED,
      verdict: { allowed: true, matched_rule: expect.stringMatching(/^rule-[0-9a-f]{12}$/), reason: null },
    },
    {
      note: "denied with the operator's reason",
      asked: { action_type: "shell_exec", target: "rm -rf /" },
      verdict: { allowed: false, matched_rule: expect.stringMatching(/^rule-/), reason: "ask before you delete" },
    },
    {
      note: "denied without a reason of its own",
      asked: { action_type: "tool_exec", target: "/bin/dd", metadata: { argv: ["if=/dev/zero"] } },
      verdict: { allowed: false, matched_rule: expect.stringMatching(/^rule-/), reason: "blocked by policy" },
    },
    {
      note: "denied because nothing allows it",
      asked: { action_type: "network_call", target: "https://example.org/" },
      verdict: {
        allowed: false,
        matched_rule: null,
        reason: "no rule allows network_call to https://example.org/",
      },
    },
    {
      note: "a target that would paint the terminal is escaped",
      asked: { action_type: "file_access", target: "/\u001b[2J\u202e" },
      verdict: { allowed: false, matched_rule: null, reason: "no rule allows file_access to /\\u{1b}[2J\\u{202e}" },
    },
    {
      note: "a long target is cut",
      asked: { action_type: "file_access", target: `/${"a".repeat(999)}` },
      verdict: { allowed: false, matched_rule: null, reason: `no rule allows file_access to /${"a".repeat(199)}...` },
    },
  ];
  for (const { note, asked, verdict } of verdicts) {
    test(`verdict: ${note}`, async () => {
      const answer = await first.check(own.session_token, asked);
      expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({
        status: 200,
        body: { success: true, data: verdict },
      });
    });
  }

  test("the token may stand in the body, or the same in both places", async () => {
    const body = { ...ALLOWED, session_token: own.session_token };
    expect((await first.ask({ path: "/v1/permissions/check", body })).status).toBe(200);
    expect((await first.check(own.session_token, body)).status).toBe(200);
  });

  for (const { note, status, error, request } of REFUSALS) {
    test(`${status}: ${note}`, async () => {
      const answer = await first.ask(request(own.session_token));
      expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({
        status,
        body: { success: false, error, code: CODE_OF[status] },
      });
      expect(answer.headers["allow"]).toBe(status === 405 ? "POST" : undefined);
    });
  }

  for (const { note, status, request } of ORDERS) {
    test(`order: ${note}`, async () => expect((await first.ask(request)).status).toBe(status));
  }

  const FROM_HOST = "check-in rejected: peer does not belong to a known container";
  const identityFirst: readonly RawRequest[] = [
    { path: "/v1/checkin", body: {} },
    { path: CHECK, body: "x".repeat(BODY_LIMIT + 1) },
    { path: CHECK, body: "{" },
    { path: "/v1/nothing" },
    { method: "GET", path: "/api/v1/rules" },
    { path: "//outcall" },
    { method: "DELETE", path: CHECK },
  ];
  for (const request of identityFirst) {
    test(`order: identity before ${request.method ?? "POST"} ${request.path} of ${String(request.body).slice(0, 3)}`, async () => {
      const answer = await askOnce(daemon.files.agentSocket, request);
      expect(answer).toMatchObject({
        status: 403,
        body: JSON.stringify({ success: false, error: FROM_HOST, code: "container.unknown" }),
      });
    });
  }

  test("a refusal by identity is logged with the pid, and no other record has the pid", async () => {
    const answer = await askOnce(daemon.files.agentSocket, { path: "/v1/checkin", body: {} });
    const record = await daemon.record({ event: "agent.checkin.refused", code: "container.unknown" });
    expect(record).toMatchObject({ pid: process.pid, level: "warning", status: 403, seed: "CheckinRejected" });
    expect(JSON.stringify(answer)).not.toContain(String(process.pid));
  });

  test("401 for a container that has not checked in (EC-005), and for another container's token, which is logged as an event", async () => {
    const third = await AgentContainer.start(daemon.files.dir, "third", daemon.files.agentSocket);
    expect((await third.check(own.session_token, ALLOWED)).status).toBe(401);
    const { session_token } = await third.checkIn();
    expect((await third.check(own.session_token, ALLOWED)).status).toBe(401);
    expect((await third.check(session_token, ALLOWED)).status).toBe(200);
    await daemon.record({ event: "agent.token-misuse", status: 401 });
    await third.stop();
  });

  test("no route of the host is here", async () => {
    for (const path of ["/api/v1/rules", "/api/v1/rule/echo", "/api/v1/health", "/api/v1/status"]) {
      expect(await first.ask({ method: "GET", path })).toMatchObject({ status: 404 });
    }
    for (const path of ["/api/v1/rule/evaluate", "/api/v1/rule/test"]) {
      const body = { context: {}, expression: "true" };
      expect(await first.ask({ path, body })).toMatchObject({ status: 404 });
    }
  });
});
