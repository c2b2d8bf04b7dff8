// Every call of the host socket on the built daemon: envelope, members, statuses.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { missingRoot, requirement } from "../support/container/container.ts";
import { callSocket, type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { callAsAgent } from "../support/agent/hostile-agent.ts";
import { program } from "../support/program/programs.ts";

setDefaultTimeout(120_000);

const RULES = {
  "10-a.yaml": `version: "1"
definitions: {is_ls: run.tool == "ls"}
rules:
  - id: list
    description: looking around
    condition: |
      $is_ls   &&
      run.cwd.startsWith("/work/with/a/rather/long/name/so/that/the/preview/has/to/cut/it/short/")
    action: allow
    egress: {mode: proxy, addresses: ["10.0.0.5:5432"]}
    expires: 9999-12-31T00:00:00Z
  - {id: late, condition: run.tool == "rm", action: block, log: true, priority: 200, reason: not here}
`,
  "20-b.yaml": `version: "1"
rules:
  - {id: first, condition: run.tool == "id", action: allow, priority: 1}
`,
};

const { label, skip } = requirement("the host socket", missingRoot());

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
  });
  afterAll(() => daemon.dispose());

  const call = (method: string, path: string, body?: unknown) =>
    callSocket(daemon.files.hostSocket, method, path, body);
  const evaluate = (context: unknown) => call("POST", "/api/v1/rule/evaluate", { context });

  test("the list, in evaluation order", async () => {
    const preview = '$is_ls && run.cwd.startsWith("/work/with/a/rather/long/name/so/that/the/previ...';
    expect([...preview].length).toBe(80);
    expect(await call("GET", "/api/v1/rules")).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: [
          { id: "first", file: "20-b.yaml", action: "allow", condition_preview: 'run.tool == "id"', description: null },
          { id: "list", file: "10-a.yaml", action: "allow", condition_preview: preview, description: "looking around" },
          { id: "late", file: "10-a.yaml", action: "block", condition_preview: 'run.tool == "rm"', description: null },
        ],
      },
    });
  });

  test("one rule in full, its condition expanded", async () => {
    const { status, body } = await call("GET", "/api/v1/rule/list");
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      data: {
        id: "list",
        file: "10-a.yaml",
        line: 4,
        condition: expect.stringMatching(/^\(run\.tool == "ls"\) {3}&&\nrun\.cwd/),
        action: "allow",
        log: false,
        description: "looking around",
        priority: 100,
        reason: null,
        egress: { mode: "proxy", addresses: ["10.0.0.5:5432"] },
        expires: "9999-12-31T00:00:00Z",
        enrich: null,
      },
    });
  });

  test("a rule by the opaque id that an agent saw", async () => {
    const ask = { action_type: "tool_exec", target: "rm", session_token: "$TOKEN" };
    const answers = callAsAgent(daemon.files.agentSocket, [
      { path: "/v1/checkin" },
      { path: "/v1/permissions/check", body: JSON.stringify(ask) },
    ]);
    const opaque = JSON.parse(answers[1]?.text ?? "").data.matched_rule;
    expect(opaque).toMatch(/^rule-[0-9a-f]{12}$/);
    expect(await call("GET", `/api/v1/rule/${opaque}`)).toMatchObject({ status: 200, body: { data: { id: "late" } } });
  });

  test("rule.not-found", async () => {
    expect(await call("GET", "/api/v1/rule/nope")).toMatchObject({
      status: 404,
      body: { success: false, error: 'rule not found: "nope"', code: "rule.not-found" },
    });
  });

  test.each([
    {
      note: "allow",
      context: { run: { tool: "id" } },
      rule: "first",
      file: "20-b.yaml",
      decision: "allow",
      logged: false,
    },
    {
      note: "block",
      context: { run: { tool: "rm" } },
      rule: "late",
      file: "10-a.yaml",
      decision: "block",
      logged: true,
    },
    { note: "default", context: {}, rule: null, file: null, decision: "block", logged: false },
  ])("evaluate: $note", async ({ context, rule, file, decision, logged }) => {
    const { status, body } = await evaluate(context);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { decision, matched_rule: rule, file, logged } });
  });

  test.each([
    { note: "unknown namespace", context: { net: {} }, status: 400, error: '"context.net"' },
    { note: "unknown member", context: { run: { tol: "x" } }, status: 400, error: "tool" },
    { note: "enriched is for hooks", context: { enriched: {} }, status: 400, error: "enriched" },
    { note: "port over 16 bits", context: { network: { port: 65_536 } }, status: 400, error: "port" },
    { note: "fraction for an int", context: { http: { body_size: 1.5 } }, status: 400, error: "body_size" },
    { note: "integer beyond 2^53-1", context: { metadata: { n: 2 ** 53 } }, status: 422, error: "2^53-1" },
    { note: "not a map", context: [], status: 400, error: "context" },
  ])("evaluate refuses: $note", async ({ context, status, error }) => {
    const answer = await evaluate(context);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({
      success: false,
      error: expect.stringContaining(error),
      code: status === 422 ? "daemon.unprocessable" : "daemon.invalid-request",
    });
  });

  test.each([
    { note: "true", expression: "network.port == 443", context: { network: { port: 443 } }, result: true, error: null },
    {
      note: "false",
      expression: "network.port == 80",
      context: { network: { port: 443 } },
      result: false,
      error: null,
    },
    { note: "absent namespace", expression: 'dns.query != "x"', context: {}, result: false, error: null },
    { note: "syntax", expression: "network.port ==", context: {}, result: false, error: expect.any(String) },
    {
      note: "typo",
      expression: "network.prt == 1",
      context: {},
      result: false,
      error: expect.stringContaining("port"),
    },
    {
      note: "no boolean",
      expression: "network.port",
      context: { network: {} },
      result: false,
      error: expect.any(String),
    },
    {
      note: "failure",
      expression: 'http.headers["x"] == "1"',
      context: { http: {} },
      result: false,
      error: expect.any(String),
    },
  ])("test: $note", async ({ expression, context, result, error }) => {
    const { status, body } = await call("POST", "/api/v1/rule/test", { expression, context });
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { result, error } });
  });

  test("health and status", async () => {
    const health = await call("GET", "/api/v1/health");
    expect(health).toMatchObject({ status: 200, body: { success: true, data: { ready: true, reason: null } } });
    const { status, body } = await call("GET", "/api/v1/status");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      data: {
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        pid: daemon.process.pid,
        rules: { files: 2, rules: 3, digest: expect.stringMatching(/^[0-9a-f]{64}$/), dir: daemon.files.rulesDir },
        bridge: { name: "none", state: "none" },
        containers: { source: "namespace" },
        sockets: { host: daemon.files.hostSocket, agent: daemon.files.agentSocket },
      },
    });
  });

  test.each([
    { note: "agent route", method: "POST", path: "/v1/checkin", status: 404 },
    { note: "agent route", method: "POST", path: "/v1/permissions/check", status: 404 },
    { note: "unknown", method: "GET", path: "/", status: 404 },
    { note: "wrong method", method: "POST", path: "/api/v1/rules", status: 405 },
    { note: "wrong method", method: "DELETE", path: "/api/v1/rule/list", status: 405 },
    { note: "dot segments", method: "GET", path: "/api/v1/rule/../status/../health/x", status: 400 },
  ])("$status for $method $path ($note)", async ({ method, path, status }) => {
    const answer = await call(method, path, method === "POST" ? {} : undefined);
    expect(answer).toMatchObject({ status, body: { success: false, error: expect.any(String) } });
  });

  test("modes: the host socket is its owner's, the agent socket everybody's", () => {
    expect(statSync(daemon.files.hostSocket).mode & 0o777).toBe(0o600);
    expect(statSync(daemon.files.agentSocket).mode & 0o777).toBe(0o666);
  });

  test("daemon.forbidden: a process of a container is refused there all the same (EC-008)", async () => {
    const answers = callAsAgent(daemon.files.hostSocket, [
      { method: "GET", path: "/api/v1/rules" },
      { path: "/api/v1/rule/evaluate", body: '{"context": {}}' },
    ]);
    for (const { status, text } of answers) {
      expect(status).toBe(403);
      expect(JSON.parse(text)).toEqual({ success: false, error: expect.any(String), code: "daemon.forbidden" });
    }
    await daemon.record({ event: "host.request.refused", code: "daemon.forbidden" });
  });

  test("the operator's command speaks to it", () => {
    const [command = "", ...rest] = program("outcall");
    const run = (...args: readonly string[]) =>
      spawnSync(command, [...rest, "--socket", daemon.files.hostSocket, ...args], { encoding: "utf8" });
    expect(run("rule", "list").stdout.split("\n")[0]).toMatch(/^ID {2,}FILE {2,}ACTION {2,}CONDITION$/);
    expect(run("rule", "show", "late")).toMatchObject({ status: 0, stderr: "" });
    expect(run("rule", "test", "--expr", "true", "--context", "{}")).toMatchObject({
      status: 0,
      stdout: "Result: true\n",
    });
    expect(run("rule", "evaluate", "--context", '{"run": {"tool": "id"}}').status).toBe(0);
    expect(run("status")).toMatchObject({ status: 0, stderr: "" });
  });
});
