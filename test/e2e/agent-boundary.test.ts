// The trust boundary (S004-FR-010, SC-004). Secrets are planted wherever an operator could have them, and every route
// is made to give every status. No answer contains more than its list permits, or a secret.
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sessions, SESSIONS_LIMIT } from "../../src/session/sessions.ts";
import { excessOf, type Exchanged, OPERATORS_REASON } from "../support/agent/answers.ts";
import type { AgentContainer, Checkin } from "../support/agent/container.ts";
import { AgentEngine, type EngineAgent } from "../support/agent/engine.ts";
import { bearer, BODY_LIMIT, CHECK, ORDERS, REFUSALS } from "../support/agent/refusals.ts";
import { containerOf, startApps } from "../support/socket/app-bench.ts";
import { requirement, ROOT } from "../support/container/container.ts";
import { callSocket, type Daemon } from "../support/program/daemon.ts";
import { FakeEngine } from "../support/host/docker-fake.ts";
import { BASE_IMAGE, missingEngine } from "../support/host/docker.ts";
import { askOnce, chunkedText, type RawRequest, requestText } from "../support/socket/raw-http.ts";

setDefaultTimeout(120_000);

/** The mark is in everything that belongs to the operator, and in no request of the agent. */
const MARK = "zanzibar";
const RULES = {
  [`10-${MARK}.yaml`]: `version: "1"
definitions: {${MARK}: target != "${MARK}"}
rules:
  - {id: ${MARK}-hooked, condition: 'target == "/opt/hooked" && $${MARK}', action: enrich, enrich: {script: ${MARK}.sh}}
  - {id: ${MARK}-failing, condition: 'target == "/opt/failing"', action: enrich, enrich: {script: ${MARK}-fails.sh}}
  - {id: ${MARK}-slow, condition: 'target == "/opt/slow"', action: enrich, enrich: {script: ${MARK}-sleeps.sh}}
  - {id: ${MARK}-said, condition: 'target == "/opt/hooked" && enriched.${MARK} == "${MARK}"', action: block}
  - {id: ${MARK}-broken, condition: 'target == "/opt/broken" && metadata.${MARK} == 1', action: block}
  - {id: ${MARK}-reason, condition: 'target == "/opt/reason"', action: block, reason: ${OPERATORS_REASON}}
  - {id: ${MARK}-mute, condition: 'target == "/opt/mute"', action: block, description: ${MARK}}
  - {id: ${MARK}-neighbour, condition: 'agent.name == "${MARK}" && target == "/opt/b"', action: allow}
  - {id: ${MARK}-allow, condition: 'target in ["/bin/echo", "/opt/allowed"] && $${MARK}', action: allow, log: true}
`,
};
const SCRIPTS = {
  [`${MARK}.sh`]: `#!/bin/sh\necho '{"${MARK}": "${MARK}"}'\n`,
  [`${MARK}-fails.sh`]: `#!/bin/sh\necho ${MARK} >&2\nexit 3\n`,
  [`${MARK}-sleeps.sh`]: "#!/bin/sh\nexec sleep 1000000\n",
};
const TARGETS = ["allowed", "b", "hooked", "failing", "slow", "broken", "reason", "mute", "nothing"];

const golden = (name: string) => readFileSync(join(ROOT, "test", "server", name), "utf8").trimEnd().split("\n");
const routeOf = (line: string): RawRequest & { readonly method: string } => {
  const [method = "", path = ""] = line.split(" ");
  return { method, path: path.replace(/:\w+/, "rr-0123456789ab") };
};
const AGENT_ROUTES = golden("agent-routes.txt").map(routeOf);
const HOST_ROUTES = golden("host-routes.txt").map(routeOf);

const { label, skip } = requirement("the trust boundary", missingEngine());

describe.skipIf(skip)(label, () => {
  let bench: AgentEngine;
  let engine: FakeEngine;
  let daemon: Daemon;
  let a: EngineAgent;
  let b: EngineAgent;
  let ofA: Checkin;
  let ofB: Checkin;
  const seen: Exchanged[] = [];

  beforeAll(async () => {
    engine = await FakeEngine.start();
    bench = AgentEngine.start();
    bench.engine.docker(["tag", BASE_IMAGE, `outcall-test/${MARK}:1`]);
    const rates = ["--agent-perm-rate", "10000/10"];
    daemon = await bench.startDaemon(RULES, ["--agent-timeout", "500ms", "--log-level", "debug", ...rates]);
    for (const [name, script] of Object.entries(SCRIPTS)) {
      writeFileSync(join(daemon.files.rulesDir, name), script, { mode: 0o755 });
    }
    a = await bench.startAgent(daemon, "agent-a");
    b = await bench.startAgent(daemon, MARK, { image: `outcall-test/${MARK}:1`, labels: { [MARK]: MARK } });
    [ofA, ofB] = [await a.agent.checkIn(), await b.agent.checkIn()];
  });
  afterAll(async () => {
    await bench?.stop();
    await engine?.close();
  });

  async function ask(agent: AgentContainer, request: RawRequest): Promise<number> {
    const response = await agent.ask(request);
    seen.push({ request, response });
    return response.status;
  }

  async function askRaw(agent: AgentContainer, bytes: string): Promise<number> {
    const client = agent.connect();
    client.send(bytes);
    const response = await client.answer();
    client.destroy();
    if (response === null) throw new Error(`no answer to ${bytes.slice(0, 80)}`);
    seen.push({ request: bytes, response });
    return response.status;
  }

  const check = (target: string, token: string): RawRequest => {
    return { path: CHECK, headers: bearer(token), body: { action_type: "tool_exec", target } };
  };

  test("200: check-in, and a verdict of each kind: by rule, by default, by hook, by failure, by time-out", async () => {
    expect(await ask(a.agent, { path: "/v1/checkin", body: {} })).toBe(200);
    for (const target of TARGETS) expect(await ask(a.agent, check(`/opt/${target}`, ofA.session_token))).toBe(200);
    const verdicts = seen.slice(1).map(({ response }) => JSON.parse(response.body).data);
    expect(verdicts.map(({ allowed, reason }) => [allowed, reason])).toEqual([
      [true, null],
      [false, "no rule allows tool_exec to /opt/b"],
      [false, "blocked by policy"],
      [false, "no rule allows tool_exec to /opt/failing"],
      [false, "evaluation timeout"],
      [false, "blocked by policy"],
      [false, OPERATORS_REASON],
      [false, "blocked by policy"],
      [false, "no rule allows tool_exec to /opt/nothing"],
    ]);
  });

  test("400, 401, 404, 405, 413, 415, 422: each reason, in each order", async () => {
    for (const { request, status } of REFUSALS) expect(await ask(a.agent, request(ofA.session_token))).toBe(status);
    for (const { request, status } of ORDERS) expect(await ask(a.agent, request)).toBe(status);
    expect(await ask(a.agent, check("/opt/allowed", ofB.session_token))).toBe(401);
  });

  test("400, 404, 405, 413: each route in each wrong way", async () => {
    for (const { method, path } of AGENT_ROUTES) {
      const other = method === "GET" ? "POST" : "GET";
      expect(await ask(a.agent, { method: other, path })).toBe(405);
      expect(await ask(a.agent, { method: "PATCH", path })).toBe(405);
      expect(await ask(a.agent, { method, path: `${path}/and/more` })).toBe(404);
      expect(await ask(a.agent, { method, path, body: "x".repeat(BODY_LIMIT + 1) })).toBe(413);
      expect(await askRaw(a.agent, `${method} ${path}#x HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n`)).toBe(400);
      if (method === "GET") continue;
      expect(await ask(a.agent, { method, path, body: "{" })).toBe(400);
      expect(await ask(a.agent, { method, path, body: { unknown: 1 } })).toBe(400);
      const typed = { "content-type": "text/plain" };
      expect(await ask(a.agent, { method, path, headers: typed, body: "{}" })).toBe(415);
    }
  });

  test("404: every route of the host socket here, and every one of this there", async () => {
    for (const { method, path } of HOST_ROUTES) {
      expect(await ask(a.agent, { method, path })).toBe(404);
      expect(await ask(a.agent, { method, path, body: { context: {}, expression: "true" } })).toBe(404);
    }
    for (const { method, path } of AGENT_ROUTES) {
      const answer = await callSocket(daemon.files.hostSocket, method, path, method === "GET" ? undefined : {});
      // A path that matches a pattern of the host API is not a route of the agent API.
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });

  test("201, 404, 422: rule requests, whose answers reveal nothing about permissions, rules or other containers", async () => {
    const rule = (id: string, condition: string) =>
      `version: "1"\nrules:\n  - {id: ${id}, condition: '${condition}', action: allow}\n`;
    const requests: readonly (readonly [status: number, path: string, body: object])[] = [
      [201, "/v1/requests/rules", { rule_file: rule("mine", 'target == "/opt/allowed"') }],
      [201, "/v1/requests/rules", { rule_file: rule("agents", 'target == "/opt/b"') }],
      [201, "/v1/requests/rules", { description: "d", condition: 'run.tool == "x"', action: "allow" }],
      [201, "/api/v1/agent/rule-request", { description: "d", requested_access: "r" }],
      [201, "/api/v1/agent/rule-request", { description: "e", requested_access: "r", suggested_condition: "true" }],
      [422, "/v1/requests/rules", { rule_file: rule("mine", 'target = "/opt/allowed"') }],
      [422, "/v1/requests/rules", { rule_file: rule("mine", "$elsewhere") }],
      [422, "/v1/requests/rules", { description: "d", condition: "nonsense.x", action: "allow" }],
      [422, "/v1/requests/rules", { description: "d", condition: "true", action: "enrich" }],
      [400, "/v1/requests/rules", { rule_file: "", description: "d" }],
    ];
    const ids: string[] = [];
    for (const [status, path, body] of requests) {
      const request = { path, headers: bearer(ofA.session_token), body };
      expect([body, await ask(a.agent, request)]).toEqual([body, status]);
      if (status === 201) ids.push(JSON.parse(seen.at(-1)?.response.body ?? "").data.id);
    }
    // The same text from another container is another request.
    const [, path, body] = requests[0] ?? [201, "", {}];
    expect(await ask(b.agent, { path, headers: bearer(ofB.session_token), body })).toBe(201);
    expect(ids).not.toContain(JSON.parse(seen.at(-1)?.response.body ?? "").data.id);
    const [denied = "", approved = ""] = ids;
    const operator = async (path: string, body: object) =>
      (await callSocket(daemon.files.hostSocket, "POST", `/api/v1/rule-request/${path}`, body)).status;
    expect(await operator(`${denied}/deny`, { reason: OPERATORS_REASON })).toBe(200);
    expect(await operator(`${approved}/approve`, {})).toBe(200);
    for (const id of [...ids, "rr-0123456789ab"]) {
      const path = `/v1/requests/rules/${id}`;
      const of = (status: number, agent: AgentContainer, { session_token }: Checkin) =>
        expect(ask(agent, { method: "GET", path, headers: bearer(session_token) })).resolves.toBe(status);
      await of(ids.includes(id) ? 200 : 404, a.agent, ofA);
      await of(404, b.agent, ofB);
    }
  });

  test("400, 405: malformed requests", async () => {
    const noRequests: readonly (readonly [status: number, bytes: string])[] = [
      [400, "nonsense\r\n\r\n"],
      [400, "POST /v1/checkin HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n"],
      [400, "POST /v1/../v1/checkin HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n"],
      [400, "POST /v1/checkin HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n"],
      [400, `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(70_000)}\r\n\r\n`],
      [405, "CONNECT example.org:443 HTTP/1.1\r\nhost: a\r\n\r\n"],
      [413, chunkedText(CHECK, ["x".repeat(BODY_LIMIT), "x"])],
    ];
    for (const [status, bytes] of noRequests) expect(await askRaw(a.agent, bytes)).toBe(status);
    const invalid = Buffer.from(requestText({ path: CHECK, body: "??" }));
    const client = a.agent.connect();
    client.send(Buffer.concat([invalid.subarray(0, -2), Buffer.of(0xff, 0xfe)]));
    const response = await client.answer();
    client.destroy();
    expect(response?.status).toBe(400);
    if (response !== null) seen.push({ request: "", response });
  });

  test("403: a peer that is no container's, on every route", async () => {
    for (const { method, path } of AGENT_ROUTES) {
      const request = { method, path };
      const response = await askOnce(daemon.files.agentSocket, request);
      expect(response.status).toBe(403);
      seen.push({ request, response });
    }
  });

  test("403: a container without the label that the operator wants", async () => {
    const labelled = await bench.startDaemon(RULES, ["--require-label", `${MARK}=${MARK}`]);
    const { agent } = await bench.startAgent(labelled, "unlabelled");
    for (const { method, path } of AGENT_ROUTES) expect(await ask(agent, { method, path })).toBe(403);
  });

  test("429: over the rate of permission requests, and over that of any", async () => {
    const limited = await bench.startDaemon(RULES, ["--agent-perm-rate", "1/3600"]);
    const { agent } = await bench.startAgent(limited, "limited");
    const { session_token } = await agent.checkIn();
    expect(await ask(agent, check("/opt/allowed", session_token))).toBe(200);
    expect(await ask(agent, check("/opt/allowed", session_token))).toBe(429);
    for (const { method, path } of AGENT_ROUTES) expect(await ask(agent, { method, path })).toBe(429);
  });

  test("503: no bridge, no engine, too many connections", async () => {
    const bridgeless = await bench.startDaemon(RULES, ["--bridge", `${MARK}0`]);
    const lower = ["-t", `${bridgeless.process.pid}`, "-n", "ip", "link", "set", `${MARK}0`, "down"];
    expect(spawnSync("nsenter", lower).status).toBe(0);
    const waiting = await bench.startAgent(bridgeless, "waiting");
    const checkin = await waiting.agent.checkIn();
    expect(await ask(waiting.agent, check("/opt/allowed", checkin.session_token))).toBe(503);
    const blind = await bench.startDaemon(RULES, ["--docker-socket", engine.socketPath]);
    const unknown = await bench.startAgent(blind, "unknown");
    engine.answers.set(`/v1.43/containers/${unknown.id}/json`, "reset");
    for (const { method, path } of AGENT_ROUTES) expect(await ask(unknown.agent, { method, path })).toBe(503);
    const clients = Array.from({ length: 64 }, () => b.agent.connect());
    for (const client of clients) expect((await client.ask({ path: "/v1/checkin" }))?.status).toBe(200);
    const more = b.agent.connect();
    const response = await more.answer(); // null where the runtime's client sees the end of the connection first
    if (response !== null) expect(seen.push({ request: "", response }) > 0 && response.status).toBe(503);
    await more.closed();
    for (const client of clients) client.destroy();
  });
  // An agent cannot make a healthy daemon give these answers.
  test("500 and 503: a bug, and no room for sessions", async () => {
    const bug = new Error(`${MARK} in ${daemon.files.dir}`);
    const sessions = new Sessions();
    for (let count = 0; count < SESSIONS_LIMIT; count++) sessions.checkIn(containerOf(`${MARK}-${count}`));
    const benches = [
      { status: 500, bench: await startApps({ agent: { identify: () => Promise.reject(bug) } }) },
      { status: 503, bench: await startApps({ agent: { sessions } }) },
    ];
    for (const { status, bench: apps } of benches) {
      const request = { path: "/v1/checkin" };
      const response = await askOnce(apps.agentSocket, request);
      expect(response.status).toBe(status);
      seen.push({ request, response });
      await apps.stop();
    }
  });

  test("every status occurred, and each answer contains only what its list permits", () => {
    const statuses = new Set(seen.map(({ response }) => response.status));
    expect([...statuses].sort()).toEqual([200, 201, 400, 401, 403, 404, 405, 413, 415, 422, 429, 500, 503]);
    expect(seen.flatMap((each) => excessOf(each).map((excess) => [each.response.status, excess]))).toEqual([]);
  });

  test("no answer contains a secret, and each secret really exists on the host", async () => {
    const { body } = await callSocket(daemon.files.hostSocket, "GET", "/api/v1/status");
    const { rules, version } = JSON.parse(JSON.stringify(body)).data;
    const secrets: readonly string[] = [
      ...[MARK, b.id, b.id.slice(0, 12), ofB.container_id, ofB.session_token, a.id],
      ...[daemon.files.dir, bench.engine.dir, "host.sock", "agent.sock", "docker", "rules.d", "state", ".yaml", ".sh"],
      ...[rules.digest, version, String(daemon.process.pid), "metadata.", "enriched", "agent.name", "172.30."],
      ...["outcalld", "bun", "elysia", "node"],
    ];
    expect(JSON.stringify((await callSocket(daemon.files.hostSocket, "GET", "/api/v1/rules")).body)).toContain(MARK);
    expect(JSON.stringify(daemon.records)).toContain(b.id);
    const found = seen.flatMap(({ request, response }) => {
      // These headers are random or computed; their form was checked above.
      const { date: _date, "content-length": _length, ...headers } = response.headers;
      const text = `${JSON.stringify(headers)} ${response.body.replace(ofA.session_token, "")}`.toLowerCase();
      const own = JSON.stringify(request).toLowerCase();
      return secrets.map((each) => each.toLowerCase()).filter((each) => text.includes(each) && !own.includes(each));
    });
    expect(found).toEqual([]);
  });
});
