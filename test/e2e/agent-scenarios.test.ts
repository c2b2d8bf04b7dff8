// The acceptance scenarios and edge cases of the agent API (S004) by name, in the words of the specification: the built
// daemon next to a real engine, and agents in real containers.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { AgentEngine, type EngineAgent } from "../support/agent/engine.ts";
import type { Checkin } from "../support/agent/container.ts";
import { bearer, BODY_LIMIT, CHECK } from "../support/agent/refusals.ts";
import { requirement } from "../support/container/container.ts";
import { callSocket, type Daemon } from "../support/program/daemon.ts";
import { missingEngine } from "../support/host/docker.ts";
import { processesOf } from "../support/rule/hook.ts";
import { chunkedText, type RawResponse, requestText } from "../support/socket/raw-http.ts";

// Starting a real engine takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

const RULES = {
  "10-agents.yaml": `version: "1"
rules:
  - {id: agents-may-read, condition: 'action_type == "tool_exec" && target == "read_file"', action: allow}
  - {id: only-for-a, condition: 'agent.name == "agent-a" && target == "/opt/of-a"', action: allow}
  - {id: only-for-b, condition: 'agent.name == "agent-b" && target == "/opt/of-b"', action: allow}
  - {id: not-for-b, condition: 'agent.name == "agent-b" && target == "read_file"', action: block, priority: 1}
  - id: by-metadata
    condition: |
      action_type == "tool_exec" && target == "deploy" && has(metadata.team) && metadata.team == "red" &&
      has(metadata.size) && metadata.size < 3 && has(metadata.dry) && metadata.dry && has(metadata.argv) &&
      "--now" in metadata.argv
    action: allow
`,
};

// A hook that never ends and writes its process group to a file.
const SLOW_RULES = {
  "10-slow.yaml": `version: "1"
rules:
  - {id: asks-at-length, condition: 'target == "slow"', action: enrich, enrich: {script: slow.sh, timeout_ms: 60000}}
  - {id: all, condition: 'action_type == "tool_exec"', action: allow}
`,
};
const SLOW_SCRIPT = "#!/bin/sh\necho $$ > group\nexec sleep 1000000\n";

const TIMED_OUT = { allowed: false, matched_rule: null, reason: "evaluation timeout" };
const UNKNOWN_TOKEN = `tok-${"A".repeat(43)}`;
const READ = { action_type: "tool_exec", target: "read_file" };

const { label, skip } = requirement("S004", missingEngine());

describe.skipIf(skip)(label, () => {
  let bench: AgentEngine;
  let daemon: Daemon;
  let a: EngineAgent;
  let b: EngineAgent;

  beforeAll(async () => {
    bench = AgentEngine.start();
    daemon = await bench.startDaemon(RULES);
    a = await bench.startAgent(daemon, "agent-a");
    b = await bench.startAgent(daemon, "agent-b");
  });
  afterAll(() => bench?.stop());

  const dataOf = ({ body }: RawResponse): unknown => JSON.parse(body).data;
  // The daemon's count of decisions.
  const decisions = async () => {
    const { body } = await callSocket(daemon.files.hostSocket, "GET", "/api/v1/status");
    expect(body).toMatchObject({ data: { counts: { allowed: expect.any(Number), blocked: expect.any(Number) } } });
    const { counts } = JSON.parse(JSON.stringify(body)).data;
    return counts.allowed + counts.blocked;
  };

  async function startSlow(flags: readonly string[]): Promise<Daemon> {
    const slow = await bench.startDaemon(SLOW_RULES, flags);
    writeFileSync(join(slow.files.rulesDir, "slow.sh"), SLOW_SCRIPT, { mode: 0o755 });
    return slow;
  }

  function groupOf({ files }: Daemon): number {
    return Number(readFileSync(join(files.rulesDir, "group"), "utf8"));
  }

  test("S004-AS-001 check-in: happy path", async () => {
    const answer = await a.agent.ask({ path: "/v1/checkin" });
    expect({ status: answer.status, body: JSON.parse(answer.body) }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          container_id: `ctr-${a.id.slice(0, 12)}`,
          session_token: expect.stringMatching(/^tok-[A-Za-z0-9_-]{43}$/),
          context_keys: ["action_type", "target", "metadata"],
        },
      },
    });
    await daemon.record({ event: "agent.checkin", container: a.id, status: 200 });
  });

  test("S004-AS-002 permission granted", async () => {
    const { session_token } = await a.agent.checkIn();
    const answer = await a.agent.ask({ path: CHECK, body: { ...READ, session_token } });
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toEqual({
      allowed: true,
      matched_rule: expect.stringMatching(/^rule-[0-9a-f]{12}$/),
      reason: null,
    });
    expect(answer.body).not.toContain("agents-may-read");
    await daemon.record({ event: "agent.check", container: a.id, action_type: "tool_exec", allowed: true });
  });

  test("S004-AS-003 permission denied", async () => {
    const { session_token } = await a.agent.checkIn();
    const body = { action_type: "network_call", target: "https://evil.example.com", session_token };
    const answer = await a.agent.ask({ path: CHECK, body });
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toEqual({
      allowed: false,
      matched_rule: null,
      reason: "no rule allows network_call to https://evil.example.com",
    });
  });

  test("S004-AS-008 no cross-container leakage", async () => {
    const [ofA, ofB] = await Promise.all([a.agent.checkIn(), b.agent.checkIn()]);
    const verdicts = async ({ agent }: EngineAgent, { session_token }: Checkin) => {
      const targets = ["/opt/of-a", "/opt/of-b", "read_file"];
      const answers: RawResponse[] = [];
      for (const target of targets) {
        answers.push(await agent.check(session_token, { action_type: "tool_exec", target }));
      }
      return answers;
    };
    const answers = { a: await verdicts(a, ofA), b: await verdicts(b, ofB) };
    expect(answers.a.map((answer) => JSON.parse(answer.body).data.allowed)).toEqual([true, false, true]);
    expect(answers.b.map((answer) => JSON.parse(answer.body).data.allowed)).toEqual([false, true, false]);
    const seen = (responses: readonly RawResponse[]) => JSON.stringify(responses);
    const secretsOf = (id: string, { container_id, session_token }: Checkin, name: string) => {
      return [id, id.slice(0, 12), container_id, session_token, name];
    };
    for (const secret of [...secretsOf(b.id, ofB, "agent-b"), "only-for", "not-for"]) {
      expect(seen(answers.a)).not.toContain(secret);
    }
    for (const secret of [...secretsOf(a.id, ofA, "agent-a"), "only-for", "not-for"]) {
      expect(seen(answers.b)).not.toContain(secret);
    }
    // The denial of A's request for B's container reads like any other.
    expect(dataOf(answers.a[1] ?? { status: 0, headers: {}, body: "{}" })).toEqual({
      allowed: false,
      matched_rule: null,
      reason: "no rule allows tool_exec to /opt/of-b",
    });
  });

  test("S004-AS-009 context variables forwarded to rule engine", async () => {
    const { session_token } = await a.agent.checkIn();
    const metadata = { team: "red", size: 2, dry: true, argv: ["--now", "x"] };
    const allowed = async (asked: object) => JSON.parse((await a.agent.check(session_token, asked)).body).data.allowed;
    const asked = { action_type: "tool_exec", target: "deploy", metadata };
    expect(await allowed(asked)).toBe(true);
    const others: readonly object[] = [
      { ...asked, metadata: { ...metadata, team: "blue" } },
      { ...asked, metadata: { ...metadata, size: 3 } },
      { ...asked, metadata: { ...metadata, dry: false } },
      { ...asked, metadata: { ...metadata, argv: ["x"] } },
      { ...asked, metadata: {} },
      { ...asked, target: "destroy" },
      { ...asked, action_type: "file_access", target: "/deploy" },
    ];
    for (const other of others) expect(await allowed(other)).toBe(false);
  });

  test("S004-AS-011 request timeout respected", async () => {
    const slow = await startSlow([]);
    const { agent } = await bench.startAgent(slow, "slow-by-default");
    const { session_token } = await agent.checkIn();
    // The evaluation never ends, so the answer comes from the default time limit.
    const answer = await agent.check(session_token, { action_type: "tool_exec", target: "slow" });
    expect({ status: answer.status, data: dataOf(answer) }).toEqual({ status: 200, data: TIMED_OUT });
    expect(await slow.record({ event: "decision.timeout" })).toMatchObject({ limit_ms: 5_000 });
    expect(dataOf(await agent.check(session_token, READ))).toMatchObject({ allowed: true });
  });

  test("S004-EC-003 malformed JSON and wrong types", async () => {
    const { session_token } = await a.agent.checkIn();
    const before = await decisions();
    const bodies: readonly (readonly [body: string, says: string])[] = [
      ["{", "request body is not valid JSON"],
      ["", "request body is not valid JSON"],
      ["[]", "invalid request: the body: expected object"],
      ['{"action_type": 1, "target": "read_file"}', 'invalid request: "action_type": expected string'],
      ['{"action_type": "tool_exec", "target": null}', 'invalid request: "target": expected string'],
      ['{"action_type": "tool_exec", "target": "read_file", "metadata": []}', '"metadata": expected object'],
      ['{"action_type": "tool_exec"}', 'invalid request: missing member "target"'],
      ['{"action_type": "tool_exec", "target": "read_file", "more": 1}', 'invalid request: unknown member "more"'],
    ];
    for (const [body, says] of bodies) {
      const headers = { ...bearer(session_token), "content-type": "application/json" };
      const answer = await a.agent.ask({ path: CHECK, headers, body });
      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.body)).toEqual({
        success: false,
        error: expect.stringContaining(says),
        code: "daemon.invalid-request",
      });
    }
    expect(await decisions()).toBe(before);
    await daemon.record({ event: "agent.check.refused", container: a.id, status: 400, seed: "InvalidRequest" });
  });

  test("S004-EC-004 check-in twice", async () => {
    const first = await a.agent.checkIn();
    const again = await Promise.all(Array.from({ length: 8 }, () => a.agent.checkIn()));
    for (const each of again) expect(each).toEqual(first);
    await b.agent.checkIn();
    const { body } = await callSocket(daemon.files.hostSocket, "GET", "/api/v1/status");
    expect(body).toMatchObject({ data: { containers: { sessions: 2 } } });
  });

  test("S004-EC-005 session token unknown, missing, or of a container that never checked in", async () => {
    const { session_token } = await a.agent.checkIn();
    const never = await bench.startAgent(daemon, "never-in");
    const before = await decisions();
    const answers = [
      await a.agent.ask({ path: CHECK, body: READ }),
      await a.agent.check(UNKNOWN_TOKEN, READ),
      await a.agent.check("", READ),
      await b.agent.check(session_token, READ),
      await never.agent.check(session_token, READ),
      await never.agent.check(UNKNOWN_TOKEN, READ),
    ];
    for (const { status, body } of answers) {
      expect({ status, body }).toEqual({
        status: 401,
        body: '{"success":false,"error":"invalid or missing session token","code":"session.bad-token"}',
      });
    }
    expect(await decisions()).toBe(before);
    await daemon.record({ event: "agent.token-misuse", container: never.id });
  });

  test("S004-EC-007 evaluation over the time limit is cancelled", async () => {
    const slow = await startSlow(["--agent-timeout", "500ms"]);
    const { agent } = await bench.startAgent(slow, "slow-by-flag");
    const { session_token } = await agent.checkIn();
    const answer = await agent.check(session_token, { action_type: "tool_exec", target: "slow" });
    expect({ status: answer.status, data: dataOf(answer) }).toEqual({ status: 200, data: TIMED_OUT });
    // A killed process may exist for a moment; one that is not killed would stay.
    while (processesOf(groupOf(slow)) > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await slow.record({ event: "decision.timeout" })).toMatchObject({ limit_ms: 500, source: "agent" });
  });

  test("S004-EC-008 a container reaches for the host socket", async () => {
    expect(readdirSync(dirname(daemon.files.agentSocket))).toEqual(["agent.sock"]);
    // The host socket is mounted by mistake, and its directory was opened to all users by another mistake.
    chmodSync(dirname(daemon.files.hostSocket), 0o755);
    chmodSync(daemon.files.hostSocket, 0o666);
    const mounts = [`${dirname(daemon.files.hostSocket)}:/run/outcalld`];
    const id = bench.startContainer(daemon, { name: "reaches", mounts });
    const agent = await bench.enter(id, "reaches", "/run/outcalld/host.sock");
    const before = await decisions();
    for (const path of ["/api/v1/rules", "/api/v1/status", "/api/v1/health", "/api/v1/rule/agents-may-read", "/x"]) {
      expect(await agent.ask({ method: "GET", path })).toMatchObject({ status: 403 });
    }
    const answer = await agent.ask({ path: "/api/v1/rule/evaluate", body: { context: {} } });
    expect(answer).toMatchObject({
      status: 403,
      body: expect.stringMatching(/^\{"success":false,"error":"[^"]+","code":"[a-z]+\.[a-z-]+"\}$/),
    });
    expect(await decisions()).toBe(before);
    await daemon.record({ event: "host.request.refused", code: "daemon.forbidden", status: 403 });
  });

  test("S004-EC-010 request body over 64 KiB", async () => {
    const { session_token } = await a.agent.checkIn();
    const before = await decisions();
    const big = "x".repeat(BODY_LIMIT + 1);
    const client = a.agent.connect();
    for (
      const bytes of [requestText({ path: CHECK, body: big }), chunkedText(CHECK, [big.slice(0, 9), big.slice(9)])]
    ) {
      client.send(bytes);
      expect(await client.answer()).toMatchObject({
        status: 413,
        body: '{"success":false,"error":"request body too large","code":"daemon.too-large"}',
      });
    }
    expect(await decisions()).toBe(before);
    const usable = await client.ask({ path: CHECK, headers: bearer(session_token), body: READ });
    expect(usable).toMatchObject({ status: 200 });
    client.destroy();
  });
});
