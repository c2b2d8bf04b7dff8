// The host socket of the built daemon: every call with every member and status, and who has no access.
import { CODE_OF } from "../support/agent/refusals.ts";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import { DecisionData, HealthData, RuleDetail, RuleList, StatusData, TestData } from "../../src/wire/host-api.ts";
import { AgentContainer } from "../support/agent/container.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { askOnce, type RawRequest } from "../support/socket/raw-http.ts";

const RULES = {
  "00-base.yaml": `version: "1"
definitions:
  is_github: network.hostname == "github.com"
rules:
  - {id: github, condition: $is_github && http.method == "GET", action: allow, description: reading}
`,
  "10-more.yaml": `version: "1"
rules:
  - id: no-force
    condition: |
      run.tool == "git" &&
      "-f" in run.flags
    action: block
    priority: 50
    log: true
    reason: no force
`,
};
const GITHUB = { network: { hostname: "github.com" }, http: { method: "GET" } };

let daemon: Daemon;
beforeAll(async () => {
  daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
});
afterAll(() => daemon.dispose());

async function ask(
  request: RawRequest,
): Promise<{ status: number; body: { success: boolean; data?: unknown; error?: string; code?: string } }> {
  const { status, body } = await askOnce(daemon.files.hostSocket, request);
  return { status, body: JSON.parse(body) };
}

const get = (path: string) => ask({ method: "GET", path });

describe("evaluate", () => {
  const cases = [
    {
      note: "allow",
      context: GITHUB,
      data: { decision: "allow", matched_rule: "github", file: "00-base.yaml", logged: false },
    },
    {
      note: "block, logged",
      context: { run: { tool: "git", flags: ["-f"] } },
      data: { decision: "block", matched_rule: "no-force", file: "10-more.yaml", logged: true },
    },
    { note: "default", context: {}, data: { decision: "block", matched_rule: null, file: null, logged: false } },
  ];
  for (const { note, context, data } of cases) {
    test(note, async () => {
      const answer = await ask({ path: "/api/v1/rule/evaluate", body: { context } });
      expect(answer).toEqual({ status: 200, body: { success: true, data } });
      expect(Value.Check(DecisionData, answer.body.data)).toBe(true);
    });
  }
});

test("rules come in evaluation order, with a preview of the condition as written", async () => {
  const { status, body } = await get("/api/v1/rules");
  expect(status).toBe(200);
  expect(Value.Check(RuleList, body.data)).toBe(true);
  expect(body.data).toEqual([
    {
      id: "no-force",
      file: "10-more.yaml",
      action: "block",
      condition_preview: 'run.tool == "git" && "-f" in run.flags',
      description: null,
    },
    {
      id: "github",
      file: "00-base.yaml",
      action: "allow",
      condition_preview: '$is_github && http.method == "GET"',
      description: "reading",
    },
  ]);
});

test("a rule has all its members, and its condition is expanded", async () => {
  const { status, body } = await get("/api/v1/rule/github");
  expect(status).toBe(200);
  expect(Value.Check(RuleDetail, body.data)).toBe(true);
  expect(body.data).toEqual({
    id: "github",
    file: "00-base.yaml",
    line: 5,
    condition: '(network.hostname == "github.com") && http.method == "GET"',
    action: "allow",
    log: false,
    description: "reading",
    priority: 100,
    reason: null,
    egress: null,
    enrich: null,
  });
});

const unknownRules: readonly { note: string; id: string; error: string }[] = [
  { note: "unknown", id: "nope", error: 'rule not found: "nope"' },
  { note: "an opaque id of no rule", id: "rule-000000000000", error: 'rule not found: "rule-000000000000"' },
  { note: "one that would paint the terminal", id: "%1b%e2%80%ae", error: 'rule not found: "\\u{1b}\\u{202e}"' },
  { note: "a name that every object has", id: "__proto__", error: 'rule not found: "__proto__"' },
  { note: "empty", id: "", error: "not found" },
  { note: "two parts", id: "github/x", error: "not found" },
];
for (const { note, id, error } of unknownRules) {
  test(`404 for a rule id: ${note}`, async () => {
    const code = error === "not found" ? "daemon.not-found" : "rule.not-found";
    expect(await get(`/api/v1/rule/${id}`)).toEqual({ status: 404, body: { success: false, error, code } });
  });
}

describe("test of an expression", () => {
  const cases = [
    { note: "true", expression: 'network.hostname == "github.com"', data: { result: true, error: null } },
    { note: "false", expression: 'network.hostname == "gitlab.com"', data: { result: false, error: null } },
    { note: "bad", expression: "network.hostname ==", data: { result: false, error: expect.any(String) } },
    { note: "no boolean", expression: "network.hostname", data: { result: false, error: expect.any(String) } },
  ];
  for (const { note, expression, data } of cases) {
    test(note, async () => {
      const answer = await ask({ path: "/api/v1/rule/test", body: { expression, context: GITHUB } });
      expect(answer).toEqual({ status: 200, body: { success: true, data } });
      expect(Value.Check(TestData, answer.body.data)).toBe(true);
    });
  }
});

test("health and status have exactly their members", async () => {
  const health = await get("/api/v1/health");
  expect(health).toEqual({ status: 200, body: { success: true, data: { ready: true, reason: null } } });
  expect(Value.Check(HealthData, health.body.data)).toBe(true);
  const { body } = await get("/api/v1/status");
  expect(Value.Errors(StatusData, body.data).First()).toBeUndefined();
  expect(body.data).toMatchObject({
    pid: daemon.process.pid,
    ready: true,
    rules: { dir: daemon.files.rulesDir, files: 2, rules: 2 },
    bridge: { name: "none", state: "none" },
    containers: { source: "namespace", state: "ready" },
    sockets: { host: daemon.files.hostSocket, agent: daemon.files.agentSocket },
    last_reload: null,
  });
});

describe("refused", () => {
  const EVALUATE = "/api/v1/rule/evaluate";
  const cases: readonly { note: string; status: number; error: string; request: RawRequest; allow?: string }[] = [
    { note: "no JSON", status: 400, error: "request body is not valid JSON", request: { path: EVALUATE, body: "{" } },
    {
      note: "no context",
      status: 400,
      error: 'invalid request: missing member "context"',
      request: { path: EVALUATE, body: {} },
    },
    {
      note: "enriched, which only hooks write",
      status: 400,
      error: 'invalid request: unknown member "context.enriched"',
      request: { path: EVALUATE, body: { context: { enriched: {} } } },
    },
    {
      note: "a port over the highest",
      status: 400,
      error: 'invalid request: "context.network.port": expected integer to be less or equal to 65535',
      request: { path: EVALUATE, body: { context: { network: { port: 65_536 } } } },
    },
    {
      note: "a body size over the largest",
      status: 422,
      error: 'integer beyond 2^53-1: "9007199254740992"',
      request: { path: EVALUATE, body: '{"context": {"http": {"body_size": 9007199254740992}}}' },
    },
    {
      note: "too deep",
      status: 422,
      error: "nested over 32 levels",
      request: { path: EVALUATE, body: `{"context": {"metadata": {"a": ${"[".repeat(999)}${"]".repeat(999)}}}}` },
    },
    { note: "unknown path", status: 404, error: "not found", request: { method: "GET", path: "/api/v1/nothing" } },
    {
      note: "wrong method",
      status: 405,
      error: "method not allowed",
      request: { method: "DELETE", path: "/api/v1/rules" },
      allow: "GET",
    },
    {
      note: "wrong method where two routes are",
      status: 405,
      error: "method not allowed",
      request: { method: "PUT", path: "/api/v1/rule/test" },
      allow: "POST, GET",
    },
    {
      note: "too large",
      status: 413,
      error: "request body too large",
      request: { path: EVALUATE, body: "x".repeat(65_537) },
    },
    {
      note: "no media type",
      status: 415,
      error: "content-type must be application/json",
      request: { path: EVALUATE, body: { context: {} }, headers: { "content-type": "text/json" } },
    },
    {
      note: "malformed",
      status: 400,
      error: "malformed request target",
      request: { method: "GET", path: "/api/v1/rule/%zz" },
    },
  ];
  for (const { note, status, error, request, allow } of cases) {
    test(`${status}: ${note}`, async () => {
      const answer = await askOnce(daemon.files.hostSocket, request);
      expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({
        status,
        body: { success: false, error, code: CODE_OF[status] },
      });
      expect(answer.headers["allow"]).toBe(allow);
    });
  }

  test("what was refused is in the log with method and path", async () => {
    await ask({ method: "PATCH", path: "/api/v1/health" });
    const record = await daemon.record({
      event: "host.request.refused",
      code: "daemon.method",
      path: "/api/v1/health",
    });
    expect(record).toMatchObject({ method: "PATCH", status: 405, level: "info" });
  });
});

test("no route of the agent is here", async () => {
  for (const path of ["/v1/checkin", "/v1/permissions/check"]) {
    expect(await ask({ path, body: {} })).toEqual({
      status: 404,
      body: { success: false, error: "not found", code: "daemon.not-found" },
    });
  }
});

const contained = requirement("out of a container", missingRoot(), missingProgram("unshare"));
describe.skipIf(contained.skip)(contained.label, () => {
  test("the host socket is closed to a container's process that can reach it (EC-008)", async () => {
    const container = await AgentContainer.start(daemon.files.dir, "reaching", daemon.files.hostSocket);
    const requests: readonly RawRequest[] = [
      { method: "GET", path: "/api/v1/rules" },
      { path: "/api/v1/rule/evaluate", body: { context: {} } },
      { path: "/api/v1/nothing" },
    ];
    for (const request of requests) {
      expect(await container.ask(request)).toMatchObject({
        status: 403,
        body: JSON.stringify({ success: false, error: "peer may not use the host socket", code: "daemon.forbidden" }),
      });
    }
    const record = await daemon.record({ event: "host.request.refused", code: "daemon.forbidden" });
    expect(record).toMatchObject({ level: "warning", detail: "another pid namespace", uid: 0 });
    await container.stop();
  });

  test("a rule is found by the id that its agent was shown", async () => {
    const container = await AgentContainer.start(daemon.files.dir, "asking", daemon.files.agentSocket);
    const { session_token } = await container.checkIn();
    const asked = { action_type: "shell_exec", target: "git push -f" };
    const { matched_rule } = JSON.parse((await container.check(session_token, asked)).body).data;
    expect(matched_rule).toMatch(/^rule-[0-9a-f]{12}$/);
    const { status, body } = await get(`/api/v1/rule/${matched_rule}`);
    expect({ status, data: body.data }).toMatchObject({ status: 200, data: { id: "no-force" } });
    await container.stop();
  });
});
