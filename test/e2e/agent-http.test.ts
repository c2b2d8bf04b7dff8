// Connections to the built daemon: they work after every refusal, answers keep the order of requests, and a client that
// is slow with headers or body loses only its own connection.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { AgentContainer, type Checkin } from "../support/agent/container.ts";
import { ALLOWED, bearer, BODY_LIMIT, CHECK, ORDERS, REFUSALS } from "../support/agent/refusals.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { chunkedText, type RawClient, type RawRequest, requestText } from "../support/socket/raw-http.ts";

setDefaultTimeout(120_000);

const RULES = {
  "10-a.yaml": `version: "1"
rules:
  - {id: slow, condition: 'target == "/slow"', action: enrich, enrich: {script: slow.sh}}
  - {id: echo, condition: 'run.path == "/bin/echo"', action: allow}
`,
};
const FLAGS = [...PLAIN_FLAGS, "--agent-perm-rate", "10000/10"];
/** The number of connections that one container may have. */
const CONNECTIONS = 64;
const DRIP_MS = 200;

const { label, skip } = requirement("connections", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  let first: AgentContainer;
  let second: AgentContainer;
  let own: Checkin;
  let good: RawRequest;

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: [...FLAGS, "--agent-timeout", "300ms"] });
    writeFileSync(join(daemon.files.rulesDir, "slow.sh"), "#!/bin/sh\nexec sleep 1000000\n", { mode: 0o755 });
    const start = (name: string) => AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket);
    [first, second] = [await start("first"), await start("second")];
    own = await first.checkIn();
    good = { path: CHECK, headers: bearer(own.session_token), body: ALLOWED };
  });
  afterAll(async () => {
    await first?.stop();
    await second?.stop();
    await daemon?.dispose();
  });

  test("after every refusal the same connection gives a verdict", async () => {
    const client = first.connect();
    const refused = [
      ...REFUSALS.map(({ note, status, request }) => ({ note, status, request: request(own.session_token) })),
      ...ORDERS,
    ];
    for (const { note, status, request } of refused) {
      expect([note, (await client.ask(request))?.status]).toEqual([note, status]);
      expect([note, (await client.ask(good))?.status]).toEqual([note, 200]);
    }
    client.destroy();
  });

  const bodies: readonly { note: string; bytes: () => string; statuses: readonly number[] }[] = [
    {
      note: "of one byte over the limit in chunks of one byte",
      bytes: () => chunkedText(CHECK, Array.from({ length: BODY_LIMIT + 1 }, () => "x")),
      statuses: [413],
    },
    {
      note: "of ten megabytes in chunks",
      bytes: () => chunkedText(CHECK, Array.from({ length: 160 }, () => "x".repeat(BODY_LIMIT))),
      statuses: [413],
    },
    {
      note: "that is announced and waits to be asked for",
      bytes: () => requestText({ ...good, headers: { ...good.headers, expect: "100-continue" } }),
      statuses: [100, 200],
    },
    {
      note: "with chunk extensions and trailers",
      bytes: () =>
        "POST /v1/checkin HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n" +
        "2;a=b\r\n{}\r\n0\r\nx-trailer: y\r\n\r\n",
      statuses: [200],
    },
  ];
  for (const { note, bytes, statuses } of bodies) {
    test(`a body ${note}`, async () => {
      const client = first.connect();
      client.send(bytes());
      for (const status of statuses) expect((await client.answer())?.status).toBe(status);
      expect((await client.ask(good))?.status).toBe(200);
      client.destroy();
    });
  }

  test("a request after a slow one waits, even if the peer has stopped sending", async () => {
    const client = first.connect();
    const slow = { ...good, body: { action_type: "tool_exec", target: "/slow" } };
    client.send([slow, good, { path: "/v1/nothing" }, slow, good].map(requestText).join(""));
    client.socket.end();
    const answers: unknown[] = [];
    for (let answer = await client.answer(); answer !== null; answer = await client.answer()) {
      answers.push(JSON.parse(answer.body).data?.reason ?? answer.status);
    }
    expect(answers).toEqual(["evaluation timeout", 200, 404, "evaluation timeout", 200]);
    client.destroy();
  });

  test("as many slow evaluations at once as there may be connections: each is answered, and none stays", async () => {
    const slow = { ...good, body: { action_type: "tool_exec", target: "/slow" } };
    const clients = Array.from({ length: CONNECTIONS - 4 }, () => first.connect());
    const answers = await Promise.all(clients.map((client) => client.ask(slow)));
    for (const client of clients) client.destroy();
    const reasons = answers.map((answer) => JSON.parse(answer?.body ?? "{}").data?.reason);
    const [timedOut, crowdedOut] = ["evaluation timeout", "no rule allows tool_exec to /slow"];
    expect(reasons.filter((reason) => reason !== timedOut && reason !== crowdedOut)).toEqual([]);
    expect(reasons).toContain(timedOut);
    expect((await first.ask(good)).status).toBe(200);
    expect(JSON.parse((await first.ask(slow)).body).data.reason).toBe(timedOut);
  });

  test("a peer that stops sending in the middle of a request is disconnected without an answer to that request", async () => {
    const whole = requestText(good);
    for (const length of [1, whole.indexOf("\r\n\r\n"), whole.length - 1]) {
      const client = first.connect();
      client.send(whole.slice(0, length));
      client.socket.end();
      await client.closed();
      expect(JSON.parse((await client.answer())?.body ?? '{"success":false}').success).toBe(false);
    }
    expect((await first.ask(good)).status).toBe(200);
  });

  test("a client that is slow with headers or a body loses the connection; one that is idle between requests does not", async () => {
    const waiting = first.connect();
    expect((await waiting.ask(good))?.status).toBe(200);
    const whole = requestText(good);
    const headersEnd = whole.indexOf("\r\n\r\n") + 4;
    const ended: string[] = [];
    const drips: ReturnType<typeof setInterval>[] = [];
    const open = (kind: string, bytes: string, drip?: string): Promise<void> => {
      const client = first.connect();
      client.send(bytes);
      if (drip !== undefined) drips.push(setInterval(() => client.send(drip), DRIP_MS));
      return ends(client, kind);
    };
    const ends = async (client: RawClient, kind: string) => {
      await client.closed();
      expect(await client.answer()).toBeNull();
      client.destroy();
      ended.push(kind);
    };
    await Promise.all([
      open("body", whole.slice(0, headersEnd + 1)),
      open("body", `${whole.slice(0, headersEnd).replace(/content-length: \d+/, "content-length: 65000")}{`, " "),
      open("headers", ""),
      open("headers", whole.slice(0, 20)),
      open("headers", "POST /v1/checkin HTTP/1.1\r\nx: ", "y"),
    ]);
    for (const drip of drips) clearInterval(drip);
    expect(ended).toEqual(["headers", "headers", "headers", "body", "body"]);
    expect((await waiting.ask(good))?.status).toBe(200);
    waiting.destroy();
  });

  test("a container that uses up its connections by being slow takes none from others, and loses its own at the deadline", async () => {
    const held = Array.from({ length: CONNECTIONS }, () => second.connect());
    for (const client of held) client.send("POST /v1/checkin HTTP/1.1\r\nhost");
    const one = first.connect();
    for (let count = 0; count < 100; count++) expect((await one.ask(good))?.status).toBe(200);
    one.destroy();
    for (const client of held) {
      await client.closed();
      client.destroy();
    }
    expect((await second.checkIn()).container_id).not.toBe(own.container_id);
  });

  test("no internal error was logged, and the daemon ends in order", async () => {
    expect(await daemon.end("SIGTERM")).toBe(0);
    expect(daemon.records.filter((record) => record["event"] === "bug" || record["level"] === "error")).toEqual([]);
  });
});
