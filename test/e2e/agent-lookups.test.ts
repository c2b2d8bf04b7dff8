// Looking up a container needs an engine that answers. If it does not answer for one container, others are not delayed,
// and each caller that cannot be looked up gets an error in time.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { AgentEngine, type EngineAgent } from "../support/agent/engine.ts";
import { requirement } from "../support/container/container.ts";
import type { Daemon } from "../support/program/daemon.ts";
import { FakeEngine } from "../support/host/docker-fake.ts";
import { missingEngine } from "../support/host/docker.ts";
import type { RawResponse } from "../support/socket/raw-http.ts";

setDefaultTimeout(120_000);

const RULES = { "10-a.yaml": 'version: "1"\nrules:\n  - {id: all, condition: \'target != ""\', action: allow}\n' };
const CHECKIN = { path: "/v1/checkin" };
/** More than the number of parallel look-ups. */
const CONNECTIONS = 60;
/** The limit of connections of one container. */
const LIMIT = 64;
const EXCESS = 6;

const { label, skip } = requirement("look-ups", missingEngine());

describe.skipIf(skip)(label, () => {
  let bench: AgentEngine;
  let engine: FakeEngine;
  let daemon: Daemon;
  let unknown: EngineAgent;
  let known: EngineAgent;

  beforeAll(async () => {
    bench = AgentEngine.start();
    engine = await FakeEngine.start();
    daemon = await bench.startDaemon(RULES, ["--docker-socket", engine.socketPath]);
    unknown = await bench.startAgent(daemon, "unknown");
    known = await bench.startAgent(daemon, "known");
    engine.answers.set(`/v1.43/containers/${unknown.id}/json`, "silence");
    const [container] = JSON.parse(bench.engine.docker(["inspect", known.id]));
    engine.answers.set(`/v1.43/containers/${known.id}/json`, { json: container });
    const [image] = JSON.parse(bench.engine.docker(["image", "inspect", container.Image]));
    engine.answers.set(`/v1.43/images/${encodeURIComponent(container.Image)}/json`, { json: image });
  });
  afterAll(async () => {
    await bench?.stop();
    await engine?.close();
  });

  test("connections of a container that was not known yet are counted as soon as it is", async () => {
    const early = await bench.startAgent(daemon, "early");
    const path = `/v1.43/containers/${early.id}/json`;
    const clients = Array.from({ length: LIMIT + EXCESS }, () => early.agent.connect());
    const inspections = () => engine.asked.filter((asked) => asked === path).length;
    while (inspections() < clients.length) await new Promise((resolve) => setImmediate(resolve));
    const [container] = JSON.parse(bench.engine.docker(["inspect", early.id]));
    engine.answers.set(path, { json: container });
    const answers: (RawResponse | null)[] = [];
    for (const client of clients) answers.push(await client.ask(CHECKIN));
    expect(answers.map((answer) => answer?.status)).toEqual(
      clients.map((_client, index) => index < LIMIT ? 200 : 503),
    );
    for (const client of clients.slice(LIMIT)) await client.closed();
    expect(answers.at(-1)).toMatchObject({
      body: '{"success":false,"error":"too many connections","code":"daemon.too-many-connections"}',
      headers: { connection: "close" },
    });
    for (const client of clients) client.destroy();
  });

  test("if the engine does not answer for one container, that container gets an error and no other is delayed", async () => {
    let answered = 0;
    const waiting = Array.from({ length: CONNECTIONS }, async () => {
      const answer = await unknown.agent.ask(CHECKIN);
      answered++;
      return answer.status;
    });
    const silent = `/v1.43/containers/${unknown.id}/json`;
    while (!engine.asked.includes(silent)) await new Promise((resolve) => setImmediate(resolve));
    expect((await known.agent.ask(CHECKIN)).status).toBe(200);
    expect(answered).toBe(0);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([503]));
    await daemon.record({ event: "agent.checkin.refused", code: "container.unavailable" });
  });
});
