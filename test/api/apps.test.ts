// The answers of both sockets when something behind them fails: a status and one line; the details are only in the log.
import { afterEach, expect, test } from "bun:test";
import { lookupUnavailable } from "../../src/container/unavailable.ts";
import { problem } from "../../src/core/problem.ts";
import { err, ok, type Result } from "../../src/core/result.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { DEFAULT_RATES, Rates } from "../../src/session/rates.ts";
import { Sessions, SESSIONS_LIMIT } from "../../src/session/sessions.ts";
import { type AppBench, type BenchOptions, containerOf, startApps } from "../support/socket/app-bench.ts";
import { askOnce, RawClient } from "../support/socket/raw-http.ts";

const benches: AppBench[] = [];
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.stop();
});

async function start(options: BenchOptions = {}): Promise<AppBench> {
  const bench = await startApps(options);
  benches.push(bench);
  return bench;
}

const CHECKIN = { path: "/v1/checkin" };
const HOOKED = `version: "1"
rules:
  - {id: slow, condition: "true", action: enrich, enrich: {script: a.sh}}
  - {id: all, condition: "true", action: allow}
`;

test("peer.unidentified: 403 on both sockets, before anything else", async () => {
  const bench = await start({ peer: err(problem("peer.unidentified", "peer credentials cannot be read")) });
  const body = '{"success":false,"error":"peer credentials cannot be read","code":"peer.unidentified"}';
  for (const socket of [bench.agentSocket, bench.hostSocket]) {
    for (const path of ["/v1/checkin", "/api/v1/rules", "/nothing"]) {
      expect(await askOnce(socket, { path, body: "{" })).toMatchObject({ status: 403, body });
    }
  }
  expect(bench.written[0]).toMatchObject({
    level: "warning",
    fields: { code: "peer.unidentified", seed: "PeerIdentification" },
  });
});

test("container.unavailable: 503, with the reason in the log only", async () => {
  const failed = lookupUnavailable("engine at /secret.sock", new Error("ECONNREFUSED"));
  const { agentSocket, written } = await start({ agent: { identify: () => Promise.resolve(err(failed)) } });
  expect(await askOnce(agentSocket, CHECKIN)).toMatchObject({
    status: 503,
    body: '{"success":false,"error":"container look-up is not available","code":"container.unavailable"}',
  });
  expect(written).toMatchObject([{
    level: "warning",
    event: "agent.checkin.refused",
    fields: { code: "container.unavailable", status: 503, detail: "engine at /secret.sock: ECONNREFUSED" },
  }]);
});

test("session.full: 503", async () => {
  const sessions = new Sessions();
  for (let count = 0; count < SESSIONS_LIMIT; count++) sessions.checkIn(containerOf(`c${count}`));
  const { agentSocket, written } = await start({ agent: { sessions } });
  expect(await askOnce(agentSocket, CHECKIN)).toMatchObject({
    status: 503,
    body: '{"success":false,"error":"too many sessions","code":"session.full"}',
  });
  expect(written).toMatchObject([{ event: "agent.checkin.refused", fields: { code: "session.full", container: "a" } }]);
});

test("daemon.internal: 500 without details of the bug, which is reported", async () => {
  const { hostSocket, bugs, written } = await start();
  expect(await askOnce(hostSocket, { method: "GET", path: "/api/v1/status" })).toMatchObject({
    status: 500,
    body: '{"success":false,"error":"internal error","code":"daemon.internal"}',
  });
  expect(bugs).toEqual([new Error("the status has a bug with secrets")]);
  expect(written).toMatchObject([{ event: "host.request.refused", fields: { code: "daemon.internal" } }]);
});

test("daemon.internal: identification that throws is no way in", async () => {
  const { agentSocket, bugs } = await start({ agent: { identify: () => Promise.reject(new Error("bug")) } });
  for (const path of ["/v1/checkin", "/v1/permissions/check"]) {
    expect(await askOnce(agentSocket, { path, body: {} })).toMatchObject({
      status: 500,
      body: '{"success":false,"error":"internal error","code":"daemon.internal"}',
    });
  }
  expect(bugs).toHaveLength(2);
});

test("daemon.evaluation-timeout: a verdict in time, and the hook is stopped (EC-007)", async () => {
  const stopped = Promise.withResolvers<void>();
  const bench = await start({
    rules: HOOKED,
    // Long enough for the request to reach its hook on a busy machine, since the time counts from its arrival.
    agent: { timeoutMs: 1_000 },
    deps: {
      runHook: (_rule, _input, { signal }) => {
        signal.addEventListener("abort", () => stopped.resolve());
        return new Promise<Result<JsonObject, string>>(() => {});
      },
    },
  });
  const { session_token } = JSON.parse((await askOnce(bench.agentSocket, CHECKIN)).body).data;
  const body = { action_type: "tool_exec", target: "/bin/x", session_token };
  expect(await askOnce(bench.agentSocket, { path: "/v1/permissions/check", body })).toMatchObject({
    status: 200,
    body: '{"success":true,"data":{"allowed":false,"matched_rule":null,"reason":"evaluation timeout"}}',
  });
  await stopped.promise;
  expect(bench.deps.counts).toEqual({ allowed: 0, blocked: 1, refused: 0 });
  expect(bench.written.map((record) => record.event)).toContain("decision.timeout");
});

test("counts: what was allowed, blocked, and refused", async () => {
  const rules = `version: "1"\nrules: [{id: yes, condition: 'run.path == "/bin/x"', action: allow}]\n`;
  const { agentSocket, hostSocket, deps } = await start({ rules });
  const { session_token } = JSON.parse((await askOnce(agentSocket, CHECKIN)).body).data;
  const check = (target: string) =>
    askOnce(agentSocket, {
      path: "/v1/permissions/check",
      body: { action_type: "tool_exec", target, session_token },
    });
  await check("/bin/x");
  await check("/bin/y");
  await check("");
  await askOnce(hostSocket, { path: "/api/v1/rule/evaluate", body: { context: {} } });
  await askOnce(hostSocket, { path: "/nothing" });
  // The host's request is a what-if and is not counted.
  expect(deps.counts).toEqual({ allowed: 1, blocked: 1, refused: 2 });
});

test("the requester is looked up again for each request", async () => {
  let asked = 0;
  const identify = () => Promise.resolve(ok(containerOf(asked++ === 0 ? "a" : "b")));
  const { agentSocket } = await start({ agent: { identify } });
  const [first, second] = [await askOnce(agentSocket, CHECKIN), await askOnce(agentSocket, CHECKIN)];
  expect(JSON.parse(first.body).data.session_token).not.toBe(JSON.parse(second.body).data.session_token);
});

const ALLOW = `version: "1"
rules:
  - {id: all, condition: "true", action: allow}
`;
const CHECK = { path: "/v1/permissions/check", body: '{"action_type":"tool_exec","target":"/bin/x"}' };

test("A6: --agent-timeout counts from the request's arrival, the time that its identity took included", async () => {
  const rules = ALLOW;
  const waitsFor = (ms: number) => async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return ok(containerOf("a"));
  };
  const bench = await start({ rules, agent: { timeoutMs: 50, identify: waitsFor(60) } });
  const session = bench.sessions.checkIn(containerOf("a"));
  if (!session.ok) throw new Error(session.error.message);
  const body = { action_type: "tool_exec", target: "/bin/x", session_token: session.value.token };
  expect(await askOnce(bench.agentSocket, { path: "/v1/permissions/check", body })).toMatchObject({
    status: 200,
    body: '{"success":true,"data":{"allowed":false,"matched_rule":null,"reason":"evaluation timeout"}}',
  });
  expect(bench.deps.counts).toEqual({ allowed: 0, blocked: 1, refused: 0 });
});

test("session.rate-limited: 429 with Retry-After, one kind of request; the connection goes on (EC-006)", async () => {
  let nowMs = 1_000;
  const clock = { now: () => new Date(0), monotonicMs: () => nowMs };
  const rates = new Rates({ ...DEFAULT_RATES, permissions: { count: 2, periodMs: 10_000 } });
  const { agentSocket, sessions, written } = await start({ rules: ALLOW, deps: { clock }, agent: { rates } });
  const session = sessions.checkIn(containerOf("a"));
  if (!session.ok) throw new Error(session.error.message);
  const headers = { authorization: `Bearer ${session.value.token}` };
  const connection = new RawClient(agentSocket);
  const check = async () => await connection.ask({ ...CHECK, headers });
  expect(await check()).toMatchObject({ status: 200 });
  nowMs += 2_500;
  expect(await check()).toMatchObject({ status: 200 });
  const refused = await check();
  expect(refused).toMatchObject({
    status: 429,
    body: '{"success":false,"error":"rate limit exceeded","code":"session.rate-limited"}',
  });
  expect(refused?.headers["retry-after"]).toBe("8");
  expect(written.at(-1)).toMatchObject({
    event: "agent.check.refused",
    fields: { container: "a", code: "session.rate-limited", seed: "RateLimited", status: 429 },
  });
  // A check-in does not count as a permission request.
  expect(await connection.ask(CHECKIN)).toMatchObject({ status: 200 });
  nowMs += 7_499;
  expect((await check())?.headers["retry-after"]).toBe("1");
  nowMs += 1;
  expect(await check()).toMatchObject({ status: 200 });
  // The limit is six requests of any kind in ten seconds, refused ones included; the next one ends the connection.
  nowMs += 2_500;
  const statuses = [];
  for (let sent = 0; sent < 4; sent++) statuses.push((await connection.ask({ path: "/nothing" }))?.status);
  expect(statuses).toEqual([404, 404, 404, 404]);
  const last = await connection.ask(CHECKIN);
  expect(last).toMatchObject({ status: 429, headers: { connection: "close" } });
  await connection.closed();
});

test("B4: an agent gets codes of a closed list; any other error is a bug, and nothing of it is answered", async () => {
  const planted = problem("rule.not-found", 'rule "planted" of 10-secret.yaml');
  const { agentSocket, bugs, written } = await start({ agent: { identify: () => Promise.resolve(err(planted)) } });
  expect(await askOnce(agentSocket, CHECKIN)).toMatchObject({
    status: 500,
    body: '{"success":false,"error":"internal error","code":"daemon.internal"}',
  });
  expect(bugs).toEqual([new Error(`the socket's table does not list rule.not-found: ${planted.message}`)]);
  expect(written).toMatchObject([{ fields: { code: "rule.not-found" } }]);
});

test("B4: malformed HTTP gets an answer with a code too", async () => {
  const { agentSocket, hostSocket } = await start();
  for (const socket of [agentSocket, hostSocket]) {
    const client = new RawClient(socket);
    client.send("no HTTP at all\r\n\r\n");
    expect(await client.answer()).toMatchObject({
      status: 400,
      body: '{"success":false,"error":"malformed HTTP request","code":"daemon.invalid-request"}',
    });
    client.destroy();
    const tunnel = new RawClient(socket);
    tunnel.send("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n");
    expect(await tunnel.answer()).toMatchObject({
      status: 405,
      body: '{"success":false,"error":"method not allowed","code":"daemon.method"}',
    });
    tunnel.destroy();
  }
});

test("B2: a query is checked by its schema, and a parameter that is given twice is refused", async () => {
  const { hostSocket } = await start();
  const list = async (query: string) =>
    await askOnce(hostSocket, { method: "GET", path: `/api/v1/rule-requests${query}` });
  for (const query of ["", "?status=pending", "?status=denied", "?"]) expect((await list(query)).status).toBe(200);
  const refused: readonly (readonly [query: string, error: string])[] = [
    ["?state=pending", 'unknown parameter \\"state\\" (did you mean \\"status\\"?)'],
    ["?status=open", '\\"status\\": expected one of \\"pending\\", \\"approved\\", \\"rejected\\", \\"denied\\"'],
    ["?status=", '\\"status\\": expected one of \\"pending\\", \\"approved\\", \\"rejected\\", \\"denied\\"'],
    ["?status=pending&status=denied", 'parameter \\"status\\" is given twice'],
    ["?__proto__=1", 'unknown parameter \\"__proto__\\"'],
  ];
  for (const [query, error] of refused) {
    expect(await list(query)).toMatchObject({
      status: 400,
      body: `{"success":false,"error":"invalid request: ${error}","code":"daemon.invalid-request"}`,
    });
  }
});
