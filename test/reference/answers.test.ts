// Every route of both sockets with correct and wrong requests over real sockets: the answers match the OpenAPI
// documents, and every documented answer occurs.
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BridgeProbe } from "../../src/bridge/state.ts";
import { lookupUnavailable } from "../../src/container/unavailable.ts";
import { systemClock } from "../../src/core/clock.ts";
import type { Json } from "../../src/core/json.ts";
import { problem } from "../../src/core/problem.ts";
import { err } from "../../src/core/result.ts";
import { ConnectionLimits, CONNECTIONS_LIMIT } from "../../src/server/connection-limits.ts";
import { RefusalLog } from "../../src/log/refusal-log.ts";
import { DEFAULT_RATES, Rates } from "../../src/session/rates.ts";
import { BODY_LIMIT_BYTES } from "../../src/wire/agent-api.ts";
import type { BenchOptions } from "../support/socket/app-bench.ts";
import { memoryAudit } from "../support/audit/audit.ts";
import { answerFaults, documentedAnswers, faultsOf, responseFaults } from "../support/document/openapi.ts";
import { askOnce, RawClient } from "../support/socket/raw-http.ts";
import { AGENT, type Driven, type Driver, HOST, nameOf, startDriver } from "./drive.ts";
import { reportOf } from "./status-report.ts";

const running: Driver[] = [];
afterEach(async () => {
  for (const driver of running.splice(0)) await driver.stop();
});

async function start(options: BenchOptions = {}): Promise<Driver> {
  const driver = await startDriver(options);
  running.push(driver);
  return driver;
}

const provocations: (() => Promise<void>)[] = [];

// A test whose answers also count for the last test, in whatever order they run.
function provoke(title: string, run: () => Promise<void>): void {
  let running: Promise<void> | undefined;
  const once = () => (running ??= run());
  provocations.push(once);
  test(title, once);
}

const RULES = `version: "1"
rules: [{id: registry-read, condition: 'network.port == 443', action: allow}]
`;
const ROOMY = { ...DEFAULT_RATES, permissions: { count: 10_000, periodMs: 10_000 } };
const well = (): BenchOptions => ({
  rules: RULES,
  reloads: true,
  agent: { rates: new Rates(ROOMY) },
  report: reportOf,
});
const down = () => new BridgeProbe("outcall0", systemClock, () => "down");
const everyRoute = [AGENT, HOST].flatMap((driven) => driven.routes.map((route) => ({ driven, name: nameOf(route) })));

provoke("the examples are answered as they say", async () => {
  const driver = await start(well());
  const expectDone = async (driven: Driven, name: string, given = {}) => {
    const answer = await driver.ask(driven, name, given);
    const { status } = driven.routes.find((route) => nameOf(route) === name)?.entry.answer ?? {};
    expect(answer).toMatchObject({ faults: [], status });
    return JSON.parse(answer.body).data;
  };
  await expectDone(AGENT, "POST /v1/checkin");
  await expectDone(AGENT, "POST /v1/checkin", { body: undefined });
  await expectDone(AGENT, "POST /v1/permissions/check");
  const { id } = await expectDone(AGENT, "POST /v1/requests/rules");
  await expectDone(AGENT, "POST /api/v1/agent/rule-request");
  await expectDone(AGENT, "GET /v1/requests/rules/{id}", { id });
  await expectDone(AGENT, "POST /v1/envelopes");
  const other = (await expectDone(HOST, "GET /api/v1/rule-requests")).at(-1).id;
  expect(other).not.toBe(id);
  await expectDone(HOST, "GET /api/v1/rule-request/{id}", { id });
  await expectDone(HOST, "POST /api/v1/rule-request/{id}/deny", { id: other });
  await expectDone(HOST, "GET /api/v1/rule/{id}");
  await expectDone(HOST, "POST /api/v1/rule-request/{id}/approve", { id });
  await expectDone(HOST, "GET /api/v1/rule-requests", { path: "/api/v1/rule-requests?status=denied" });
  await expectDone(HOST, "GET /api/v1/envelope/{container}", { id: "name-of-a" });
  const plain = ["/rules", "/health", "/status", "/bridge", "/containers", "/envelopes"].map((path) =>
    `GET /api/v1${path}`
  );
  for (const name of [...plain, "POST /api/v1/rule/evaluate", "POST /api/v1/rule/test", "POST /api/v1/rules/reload"]) {
    await expectDone(HOST, name);
  }
});

describe("what any request may be refused with", () => {
  const refuseAll = async (driver: Driver, status: number, given = {}, routes = everyRoute) => {
    for (const { driven, name } of routes) {
      expect(await driver.ask(driven, name, given)).toMatchObject({ status, faults: [] });
    }
  };

  provoke("400, 413: before the route is looked at", async () => {
    const driver = await start(well());
    const body = "x".repeat(BODY_LIMIT_BYTES + 1);
    for (const { driven, name } of everyRoute) {
      expect(await driver.ask(driven, name, { body })).toMatchObject({ status: 413, faults: [] });
      const headers = { "transfer-encoding": "gzip, chunked", "content-length": "" };
      expect(await driver.ask(driven, name, { headers })).toMatchObject({ status: 400, faults: [] });
    }
  });

  provoke("403: the kernel says nothing of the peer", async () => {
    await refuseAll(await start({ peer: err(problem("peer.unidentified", "peer is not identified")) }), 403);
  });

  provoke("500: a bug", async () => {
    const bug = () => {
      throw new Error("bug");
    };
    await refuseAll(await start({ agent: { identify: bug }, host: { admit: bug } }), 500);
  });

  provoke("503: no container source; no room for a connection", async () => {
    const failed = lookupUnavailable("engine", new Error("ECONNREFUSED"));
    const driver = await start({ agent: { identify: () => Promise.resolve(err(failed)) } });
    await refuseAll(driver, 503, {}, everyRoute.filter(({ driven }) => driven === AGENT));
    const dir = mkdtempSync(join(tmpdir(), "outcall-full-"));
    const write = () => {};
    const log = { debug: write, info: write, warning: write, error: write };
    const limits = new ConnectionLimits(new RefusalLog(log, memoryAudit().audit));
    const taken = Array.from({ length: CONNECTIONS_LIMIT }, () => new Socket());
    for (const socket of taken) limits.admit(socket, { name: "host", isReserved: true });
    const server = createServer((socket) => limits.admit(socket, { name: "host", isReserved: true }));
    await new Promise<void>((resolve) => server.listen(join(dir, "a.sock"), resolve));
    // Refused at accept, before any request.
    const client = new RawClient(join(dir, "a.sock"));
    const answer = await client.answer();
    if (answer === null) throw new Error("no answer");
    client.destroy();
    expect(answer.status).toBe(503);
    for (const name of HOST.routes.map(nameOf)) {
      expect(answerFaults(HOST.document, name, answer)).toEqual([]);
      HOST.seen.add(`${name} 503`);
    }
    for (const socket of taken) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    rmSync(dir, { recursive: true });
  });

  provoke("429: too many requests of any kind", async () => {
    const rates = new Rates({ ...DEFAULT_RATES, permissions: { count: 1, periodMs: 10_000 } });
    const driver = await start({ agent: { rates } });
    for (let sent = 0; sent < 3; sent++) await driver.ask(AGENT, "POST /v1/checkin");
    await refuseAll(driver, 429, {}, everyRoute.filter(({ driven }) => driven === AGENT));
  });

  provoke("404, 405: what is to no route", async () => {
    const { sockets } = await start(well());
    for (const driven of [AGENT, HOST]) {
      const { responses } = driven.document.components;
      const [first] = driven.routes;
      const path = first?.path ?? "";
      for (const [name, request] of [["NotFound", { path: "/none" }], ["Method", { method: "PUT", path }]] as const) {
        const response = responses[name];
        if (response === undefined) throw new Error(`no response ${name}`);
        const answer = await askOnce(sockets[driven.name], request);
        expect(answer.status).toBe(name === "Method" ? 405 : 404);
        expect(responseFaults(driven.document, response, answer)).toEqual([]);
      }
    }
  });
});

describe("a malformed body gives 400, and the schema refuses it too", () => {
  const withBody = everyRoute.flatMap(({ driven, name }) => {
    const { body } = driven.routes.find((route) => nameOf(route) === name)?.entry ?? {};
    return body === undefined ? [] : [{ driven, name, example: body.example }];
  });

  const refuse = async ({ driven, name, example }: (typeof withBody)[number]) => {
    const driver = await start(well());
    const [method = "", path = ""] = name.split(" ");
    const schema = driven.document.paths[path]?.[method.toLowerCase()]?.requestBody?.content["application/json"].schema;
    expect(faultsOf(driven.document, schema ?? {}, example)).toEqual([]);
    for (const wrong of wrongBodies(driven, schema?.$ref ?? "", example)) {
      expect(faultsOf(driven.document, schema ?? {}, wrong)).not.toEqual([]);
      expect(await driver.ask(driven, name, { body: wrong })).toMatchObject({ status: 400, faults: [] });
    }
    expect(await driver.ask(driven, name, { body: "{" })).toMatchObject({ status: 400, faults: [] });
    const headers = { "content-type": "text/plain" };
    expect(await driver.ask(driven, name, { headers })).toMatchObject({ status: 415, faults: [] });
  };
  for (const each of withBody) provoke(each.name, () => refuse(each));

  // The example with an additional member, without each required member, and with a value of a wrong type for each
  // member.
  function wrongBodies({ document }: Driven, ref: string, example: Json): readonly unknown[] {
    const { properties = {}, required = [] } = document.components.schemas[ref.split("/").at(-1) ?? ""] ?? {};
    const good = typeof example === "object" && example !== null ? example : {};
    const missing = required.map((name) => Object.fromEntries(Object.entries(good).filter(([each]) => each !== name)));
    const retyped = Object.keys(properties).map((name) => ({ ...good, [name]: [[1]] }));
    return [{ ...good, unknown: 1 }, ...missing, ...retyped, [], null, 1];
  }
});

provoke("401: each route that needs a token", async () => {
  const driver = await start(well());
  for (const route of AGENT.routes.filter(({ entry }) => entry.token === true)) {
    const headers = { authorization: "Bearer tok-x" };
    expect(await driver.ask(AGENT, nameOf(route), { headers })).toMatchObject({ status: 401, faults: [] });
  }
});

const BIG = '{"context": {"network": {"port": 1}, "metadata": {"a": 9007199254740993}}';
const BROKEN = { rule_file: 'version: "1"\nrules: [{id: a, condition: nothing.here, action: allow}]\n' };

describe("what a route refuses by itself", () => {
  const cases:
    readonly (readonly [driven: Driven, name: string, status: number, given: object, options?: BenchOptions])[] = [
      [AGENT, "POST /v1/permissions/check", 422, { body: { action_type: "fly", target: "x" } }],
      [AGENT, "POST /v1/permissions/check", 503, {}, { deps: { bridge: down() } }],
      [AGENT, "POST /v1/requests/rules", 422, { body: BROKEN }],
      [AGENT, "POST /api/v1/agent/rule-request", 422, {
        body: { description: "a", requested_access: "b", suggested_condition: "(" },
      }],
      [AGENT, "GET /v1/requests/rules/{id}", 404, {}],
      [AGENT, "POST /v1/envelopes", 422, { body: { facts: "none" } }],
      [HOST, "POST /api/v1/rule/evaluate", 422, { body: `${BIG}}` }],
      [HOST, "POST /api/v1/rule/evaluate", 503, {}, { deps: { bridge: down() } }],
      [HOST, "POST /api/v1/rule/test", 422, { body: `${BIG}, "expression": "true"}` }],
      [HOST, "GET /api/v1/rule/{id}", 404, { id: "none" }],
      [HOST, "POST /api/v1/rules/reload", 422, {}, {
        host: { reloader: { reload: () => Promise.resolve(err(problem("daemon.reload-failed", "reload failed: a"))) } },
      }],
      [HOST, "GET /api/v1/rule-requests", 400, { path: "/api/v1/rule-requests?state=pending" }],
      [HOST, "GET /api/v1/rule-request/{id}", 404, {}],
      [HOST, "POST /api/v1/rule-request/{id}/approve", 404, {}],
      [HOST, "POST /api/v1/rule-request/{id}/deny", 404, {}],
      [HOST, "POST /api/v1/rule-request/{id}/deny", 422, { body: { reason: "" } }],
      [HOST, "GET /api/v1/envelope/{container}", 404, {}],
      [HOST, "POST /api/v1/bridge/up", 409, {}],
      [HOST, "POST /api/v1/bridge/down", 409, {}],
    ];
  for (const [driven, name, status, given, options = {}] of cases) {
    provoke(`${name}: ${status}`, async () => {
      const driver = await start({ ...well(), ...options });
      expect(await driver.ask(driven, name, given)).toMatchObject({ status, faults: [] });
    });
  }

  provoke("rule requests: decided already, changed, not acceptable", async () => {
    const driver = await start(well());
    const { id } = JSON.parse((await driver.ask(AGENT, "POST /v1/requests/rules")).body).data;
    const approve = "POST /api/v1/rule-request/{id}/approve";
    const changed = await driver.ask(HOST, approve, { id, body: { digest: "other" } });
    expect(changed).toMatchObject({ status: 409, faults: [] });
    const file = await driver.ask(HOST, approve, { id, body: { file_name: "../a.yaml" } });
    expect(file).toMatchObject({ status: 422, faults: [] });
    await driver.ask(HOST, "POST /api/v1/rule-request/{id}/deny", { id });
    const again = await driver.ask(HOST, "POST /api/v1/rule-request/{id}/deny", { id });
    expect(again).toMatchObject({ status: 409, faults: [] });
  });
});

// These change devices of the host; test/e2e/daemon-bridge.test.ts covers them in a separate network namespace.
const OF_DEVICES = ["POST /api/v1/bridge/up 200", "POST /api/v1/bridge/down 200"];

/** Enough for all tests if this one runs first, on a busy machine. */
const ALL_MS = 60_000;

test("every answer that is documented has been seen", async () => {
  for (const provoked of provocations) await provoked();
  const seen = (driven: Driven) => documentedAnswers(driven.document).filter((each) => !driven.seen.has(each));
  expect(seen(AGENT)).toEqual([]);
  expect(seen(HOST)).toEqual(OF_DEVICES);
}, ALL_MS);
