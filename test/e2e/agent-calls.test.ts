// Every call of the agent socket on the built daemon, by an agent that writes its requests itself: envelope, members,
// statuses, the order of the checks, and no answer with information that the agent must not have (S004).
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { missingRoot, requirement } from "../support/container/container.ts";
import { callSocket, type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { type AgentAnswer, type AgentCall, callAsAgent, runAsAgent } from "../support/agent/hostile-agent.ts";

setDefaultTimeout(120_000);

const RULES = {
  "77-planted-file.yaml": `version: "1"
rules:
  - {id: planted-reason, condition: 'run.tool == "mute"', action: block, reason: planted words for the agent}
  - {id: planted-block, condition: 'run.tool == "planted-tool"', action: block}
  - {id: planted-allow, condition: 'run.tool == "ls" && metadata.team == "planted-team"', action: allow}
  - {id: planted-broken, condition: 'run.tool == "broken" && metadata.gone == 1', action: block}
`,
};

const CHECK = "/v1/permissions/check";
const checkin: AgentCall = { path: "/v1/checkin", body: "{}" };
const ask = (members: Record<string, unknown>): string => JSON.stringify({ session_token: "$TOKEN", ...members });
const tool = (target: string, metadata: Record<string, unknown> = {}): AgentCall => ({
  path: CHECK,
  body: ask({ action_type: "tool_exec", target, metadata }),
});

type Case = {
  readonly note: string;
  readonly call: AgentCall;
  readonly status: number;
  /** The text of the error, or a part of it. */
  readonly error?: string;
  readonly code?: string;
};

const JSON_TYPE = { "content-type": "application/json" };

// In the order of the checks: in each case, everything before the check is right, and something after it is wrong too.
const REFUSED: readonly Case[] = [
  { note: "unknown path", call: { path: "/v1/nothing", body: "{}" }, status: 404, error: "not found" },
  { note: "host route", call: { method: "GET", path: "/api/v1/rules" }, status: 404, error: "not found" },
  { note: "host route with a body", call: { path: "/api/v1/rule/evaluate", body: "{}" }, status: 404 },
  { note: "wrong method", call: { method: "GET", path: CHECK }, status: 405, error: "method not allowed" },
  {
    note: "daemon.too-large comes before the type",
    call: { path: CHECK, headers: { "content-type": "text/plain" }, body: "x".repeat(65_537) },
    status: 413,
    error: "request body too large",
  },
  {
    note: "daemon.media-type comes before the text",
    call: { path: CHECK, headers: { "content-type": "text/plain" }, body: "{" },
    status: 415,
  },
  { note: "malformed JSON (EC-003)", call: { path: CHECK, body: "{" }, status: 400, error: "not valid JSON" },
  { note: "wrong type (EC-003)", call: { path: CHECK, body: '{"action_type": 1, "target": "x"}' }, status: 400 },
  {
    note: "missing member",
    call: { path: CHECK, body: '{"action_type": "tool_exec"}' },
    status: 400,
    error: '"target"',
  },
  {
    note: "unknown member comes before the token",
    call: { path: CHECK, body: '{"action_type": "tool_exec", "target": "x", "extra": 1}' },
    status: 400,
    error: '"extra"',
  },
  { note: "member in a check-in", call: { path: "/v1/checkin", body: '{"pid": 1}' }, status: 400 },
  {
    note: "session.bad-token: missing (EC-005)",
    call: { path: CHECK, body: '{"action_type": "nonsense", "target": ""}' },
    status: 401,
    error: "invalid or missing session token",
  },
  {
    note: "unknown token",
    call: { path: CHECK, body: '{"action_type": "tool_exec", "target": "x", "session_token": "tok-x"}' },
    status: 401,
    error: "invalid or missing session token",
  },
  {
    note: "two tokens that differ",
    call: {
      path: CHECK,
      headers: { ...JSON_TYPE, authorization: "Bearer tok-other" },
      body: ask({ action_type: "tool_exec", target: "x" }),
    },
    status: 401,
  },
  {
    note: "daemon.unprocessable: unknown action",
    call: { path: CHECK, body: ask({ action_type: "nonsense", target: "x" }) },
    status: 422,
    error: "tool_exec",
  },
  {
    note: "bad target",
    call: { path: CHECK, body: ask({ action_type: "network_call", target: "a\0b" }) },
    status: 422,
  },
];

const { label, skip } = requirement("the agent socket", missingRoot());

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
  });
  afterAll(() => daemon.dispose());

  const call = (...calls: readonly AgentCall[]) => callAsAgent(daemon.files.agentSocket, calls);
  const last = (answers: readonly AgentAnswer[]): AgentAnswer => answers.at(-1) ?? { status: 0, headers: {}, text: "" };

  test("check-in, by an empty body and by {}, gives one session (EC-004)", () => {
    const answers = call({ path: "/v1/checkin" }, checkin, checkin).map((
      { status, text },
    ) => [status, JSON.parse(text)]);
    const [, first] = answers[0] ?? [];
    expect(first).toEqual({
      success: true,
      data: {
        container_id: expect.stringMatching(/^ctr-[0-9a-f]{12}$/),
        session_token: expect.stringMatching(/^tok-[A-Za-z0-9_-]{43}$/),
        context_keys: ["action_type", "target", "metadata"],
      },
    });
    expect(answers).toEqual([[200, first], [200, first], [200, first]]);
  });

  test("verdicts: allowed, blocked with and without a reason, by default", () => {
    const answers = call(
      checkin,
      tool("/bin/ls", { team: "planted-team" }),
      tool("/bin/mute"),
      tool("planted-tool"),
      tool("/bin/x"),
    );
    const verdicts = answers.slice(1).map(({ status, text }) => [status, JSON.parse(text).data]);
    const opaque = expect.stringMatching(/^rule-[0-9a-f]{12}$/);
    expect(verdicts).toEqual([
      [200, { allowed: true, matched_rule: opaque, reason: null }],
      [200, { allowed: false, matched_rule: opaque, reason: "planted words for the agent" }],
      [200, { allowed: false, matched_rule: opaque, reason: "blocked by policy" }],
      [200, { allowed: false, matched_rule: null, reason: "no rule allows tool_exec to /bin/x" }],
    ]);
  });

  test("the token may come in the header", () => {
    const headers = { ...JSON_TYPE, authorization: "Bearer $TOKEN" };
    const body = JSON.stringify({ action_type: "tool_exec", target: "/bin/x" });
    expect(last(call(checkin, { path: CHECK, headers, body })).status).toBe(200);
  });

  test("a block rule that cannot be evaluated blocks, and the log names it", async () => {
    expect(JSON.parse(last(call(checkin, tool("broken"))).text).data).toMatchObject({
      allowed: false,
      reason: "blocked by policy",
    });
    await daemon.record({ event: "rule.unevaluable", rule: "planted-broken", level: "warning" });
  });

  test.each(REFUSED)("$status: $note", ({ call: refused, status, error }) => {
    const answer = last(call(checkin, refused));
    expect(answer.status).toBe(status);
    const body = JSON.parse(answer.text);
    expect(body).toEqual({
      success: false,
      error: expect.any(String),
      code: expect.stringMatching(/^[a-z]+\.[a-z-]+$/),
    });
    if (error !== undefined) expect(body.error).toContain(error);
  });

  test("after a body over the limit, chunked or not, the connection is usable (EC-010)", () => {
    const script = `
      import { Agent, request } from "node:http";
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const ports = new Set();
      const send = (path, chunks, length) => new Promise((resolve, reject) => {
        const headers = { "content-type": "application/json", ...(length ? { "content-length": length } : {}) };
        const sent = request({ socketPath: process.env.SOCKET, agent, method: "POST", path, headers }, (answer) => {
          answer.resume();
          answer.once("end", () => resolve(answer.statusCode));
        });
        sent.once("socket", (socket) => ports.add(socket));
        sent.once("error", reject);
        for (const chunk of chunks) sent.write(chunk);
        sent.end();
      });
      const big = "x".repeat(70_000);
      const statuses = [await send("${CHECK}", [big], 70_000), await send("${CHECK}", [big.slice(0, 35_000), big.slice(0, 35_000)]), await send("/v1/checkin", ["{}"])];
      console.log(JSON.stringify({ statuses, connections: ports.size }));
      process.exit(0);
    `;
    expect(JSON.parse(runAsAgent(daemon.files.agentSocket, script))).toEqual({
      statuses: [413, 413, 200],
      connections: 1,
    });
  });

  test("malformed HTTP is answered or cut, and the daemon goes on", () => {
    const script = `
      import { connect } from "node:net";
      const texts = JSON.parse(await Bun.stdin.text());
      const send = (text) => new Promise((resolve) => {
        let heard = "";
        const socket = connect(process.env.SOCKET, () => socket.write(text));
        socket.on("data", (data) => { heard += data; if (heard.includes("\\r\\n\\r\\n")) socket.destroy(); });
        socket.on("error", () => {});
        socket.on("close", () => resolve(heard.slice(0, 12)));
      });
      const heard = [];
      for (const text of texts) heard.push(await send(text));
      console.log(JSON.stringify(heard));
    `;
    const texts = [
      "nonsense\r\n\r\n",
      "\0\x01\x02\r\n\r\n",
      "POST /v1/checkin HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x",
      "POST /v1/checkin HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(70_000)}\r\n\r\n`,
      "GET http://evil.example/v1/checkin HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET //v1/checkin HTTP/1.1\r\nHost: x\r\n\r\n",
      "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
      "POST /v1/checkin HTTP/1.1\r\nHost: \r\nContent-Length: 0\r\n\r\n",
    ];
    const heard: string[] = JSON.parse(runAsAgent(daemon.files.agentSocket, script, JSON.stringify(texts)));
    const refused = heard.slice(0, -1).filter((start) => !/^HTTP\/1\.1 4\d\d/.test(start));
    expect(refused).toEqual([]);
    expect(heard.at(-1)).toBe("HTTP/1.1 200");
  });

  test("no answer of any route and status reveals what the agent must not know (FR-010)", () => {
    const calls = [
      checkin,
      tool("/bin/ls", { team: "planted-team" }),
      tool("/bin/other"),
      ...REFUSED.map((each) => each.call),
    ];
    const texts = call(...calls).map(({ headers, text }) => JSON.stringify(headers) + text);
    const planted = [
      "planted-reason",
      "planted-block",
      "planted-allow",
      "planted-broken",
      "77-planted",
      "host.sock",
      "run.tool",
      daemon.files.dir,
    ];
    for (const text of texts) for (const secret of planted) expect(text).not.toContain(secret);
  });

  test("a peer on the host itself is refused, whatever it asks for", async () => {
    for (const path of ["/v1/checkin", CHECK, "/v1/nothing"]) {
      const answer = await callSocket(daemon.files.agentSocket, "POST", path, {});
      const error = "check-in rejected: peer does not belong to a known container";
      expect(answer).toMatchObject({ status: 403, body: { success: false, error, code: "container.unknown" } });
    }
    await daemon.record({ event: "agent.request.refused", code: "container.unknown" });
  });
});
