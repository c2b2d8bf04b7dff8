// Slow and silent peers, with short deadlines: each is disconnected, and no answer is truncated.
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { problem } from "../../src/core/problem.ts";
import { err } from "../../src/core/result.ts";
import { DEADLINES, type Deadlines } from "../../src/server/deadline.ts";
import { exchangeOf, type Handle } from "../../src/server/exchange.ts";
import { PIPELINE_LIMIT } from "../../src/server/http-connection.ts";
import { HttpServer } from "../../src/server/http-server.ts";
import { RawClient, requestText } from "../support/socket/raw-http.ts";

// A deadline that passes at once, and one that never passes within a test.
const SOON = 20;
const NEVER = 1_000_000;
const PATIENT: Deadlines = { headersMs: NEVER, bodyMs: NEVER, idleMs: NEVER };
const connection = { peer: err(problem("peer.unidentified", "nobody")), countFor: () => true };

const undo: (() => void)[] = [];
afterEach(() => undo.splice(0).forEach((each) => each()));

type Served = { readonly path: string; readonly http: HttpServer; readonly bugs: unknown[]; readonly listener: Server };

async function serve(handle: Handle, deadlines: Deadlines = PATIENT): Promise<Served> {
  const dir = mkdtempSync(join(tmpdir(), "outcall-http-"));
  const path = join(dir, "s.sock");
  const bugs: unknown[] = [];
  const http = new HttpServer({ handle, deadlines, reportBug: (cause) => bugs.push(cause) });
  const listener = createServer({ allowHalfOpen: true }, (socket) => http.accept(socket, connection));
  await new Promise<void>((resolve) => listener.listen(path, resolve));
  undo.push(() => {
    void http.close(0);
    listener.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return { path, http, bugs, listener };
}

const echo: Handle = (request) =>
  Promise.resolve(Response.json({ path: new URL(request.url).pathname, body: exchangeOf(request).body }));
const request = requestText({ path: "/a", body: "{}" });

test("DEADLINES equal the deadlines of S004 section 5", () => {
  expect(DEADLINES).toEqual({ headersMs: 5_000, bodyMs: 10_000, idleMs: 60_000 });
});

describe("HttpServer disconnects a peer", () => {
  const cases: readonly { note: string; deadlines: Deadlines; sent: readonly string[]; answers: number }[] = [
    { note: "that says nothing", deadlines: { ...PATIENT, headersMs: SOON }, sent: [], answers: 0 },
    {
      note: "that stops in the middle of its headers",
      deadlines: { ...PATIENT, headersMs: SOON },
      sent: ["POST /a HTTP/1.1\r\nHost"],
      answers: 0,
    },
    {
      note: "that stops in the middle of its body",
      deadlines: { ...PATIENT, bodyMs: SOON },
      sent: [request.slice(0, -1)],
      answers: 0,
    },
    {
      note: "that stops in the middle of a body behind another request",
      deadlines: { ...PATIENT, bodyMs: SOON },
      sent: [request, request.slice(0, -1)],
      answers: 1,
    },
    { note: "that has nothing more to ask", deadlines: { ...PATIENT, idleMs: SOON }, sent: [request], answers: 1 },
    {
      note: "that stops in the middle of later headers",
      deadlines: { ...PATIENT, idleMs: SOON, headersMs: SOON },
      sent: [request, "POST"],
      answers: 1,
    },
  ];
  for (const { note, deadlines, sent, answers } of cases) {
    test(note, async () => {
      const { path, http, bugs } = await serve(echo, deadlines);
      const client = new RawClient(path);
      client.send(sent.join(""));
      for (let count = 0; count < answers; count++) expect(await client.answer()).toMatchObject({ status: 200 });
      await client.closed();
      expect(await client.answer()).toBeNull();
      expect([http.size, bugs]).toEqual([0, []]);
    });
  }

  test("that drips header bytes: each of them prolongs nothing", async () => {
    const { path } = await serve(echo, { ...PATIENT, headersMs: 100 });
    const client = new RawClient(path);
    client.send("POST /a HTTP/1.1\r\nx: ");
    const drip = setInterval(() => client.send("y"), 10);
    await client.closed();
    clearInterval(drip);
    expect(await client.answer()).toBeNull();
  });

  test("that drips header bytes behind an answered request", async () => {
    const { path } = await serve(echo, { ...PATIENT, headersMs: 100 });
    const client = new RawClient(path);
    client.send(request);
    expect(await client.answer()).toMatchObject({ status: 200 });
    const drip = setInterval(() => client.send("P"), 10);
    await client.closed();
    clearInterval(drip);
  });

  test("that drips body bytes", async () => {
    const { path } = await serve(echo, { ...PATIENT, bodyMs: 100 });
    const client = new RawClient(path);
    client.send("POST /a HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n");
    const drip = setInterval(() => client.send("y"), 10);
    await client.closed();
    clearInterval(drip);
  });

  test("that does not take its answer", async () => {
    const large = "x".repeat(8_000_000);
    const { path, http } = await serve(() => Promise.resolve(new Response(large)), { ...PATIENT, idleMs: 100 });
    const client = new RawClient(path);
    client.socket.pause();
    client.send(request);
    while (http.size === 0) await new Promise((resolve) => setImmediate(resolve));
    while (http.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    client.destroy();
  });
});

test("HttpServer has no deadline for its own work", async () => {
  const slow: Handle = async () => {
    await new Promise((resolve) => setTimeout(resolve, 5 * SOON));
    return Response.json({});
  };
  const { path } = await serve(slow, { headersMs: SOON, bodyMs: SOON, idleMs: NEVER });
  const client = new RawClient(path);
  client.send(request + request);
  expect(await client.answer()).toMatchObject({ status: 200 });
  expect(await client.answer()).toMatchObject({ status: 200 });
  client.destroy();
});

describe("HttpServer works on one request of a connection at a time", () => {
  async function atOnce(count: number): Promise<{ most: number; answers: number }> {
    let running = 0;
    let most = 0;
    const counting: Handle = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return Response.json({});
    };
    const { path } = await serve(counting);
    const client = new RawClient(path);
    client.send("GET /a HTTP/1.1\r\n\r\n".repeat(count));
    client.socket.end();
    let answers = 0;
    while (await client.answer() !== null) answers++;
    client.destroy();
    return { most, answers };
  }

  test("as many as may wait are all answered", async () => {
    expect(await atOnce(PIPELINE_LIMIT + 1)).toEqual({ most: 1, answers: PIPELINE_LIMIT + 1 });
  });

  test("one more ends the connection", async () => {
    const { most, answers } = await atOnce(PIPELINE_LIMIT + 2);
    expect(most).toBeLessThanOrEqual(1);
    expect(answers).toBeLessThan(PIPELINE_LIMIT + 2);
  });
});

test("a body that is far too large leaves the connection usable", async () => {
  const { path } = await serve((each) => Promise.resolve(new Response(exchangeOf(each).body.kind, { status: 413 })));
  const client = new RawClient(path);
  client.send(requestText({ path: "/a", body: "x".repeat(20_000_000) }));
  expect(await client.answer()).toMatchObject({ body: "too-large", headers: { connection: "keep-alive" } });
  client.send(request);
  expect(await client.answer()).toMatchObject({ body: "text" });
  client.destroy();
});

describe("HttpServer.close", () => {
  test("waits for requests in progress, and answers each as the last one on its connection", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { path, http } = await serve(() => {
      begin();
      return promise;
    });
    const idle = new RawClient(path);
    const client = new RawClient(path);
    client.send(request);
    await begun;
    const closed = http.close(NEVER);
    resolve(Response.json({ done: true }));
    expect(await client.answer()).toMatchObject({ body: '{"done":true}', headers: { connection: "close" } });
    await closed;
    await idle.closed();
    expect(await idle.answer()).toBeNull();
  });

  test("waits no longer than its deadline, and accepts no new connections", async () => {
    const { path, http } = await serve(() => new Promise(() => {}));
    const client = new RawClient(path);
    client.send(request);
    while (http.size === 0) await new Promise((resolve) => setImmediate(resolve));
    await http.close(SOON);
    await client.closed();
    expect(await client.answer()).toBeNull();
    const late = new RawClient(path);
    late.send(request);
    await late.closed();
    expect(await late.answer()).toBeNull();
  });
});

test("a handler that throws is reported, and its peer is disconnected without an answer", async () => {
  const { path, bugs } = await serve(() => Promise.reject(new Error("bug")));
  const client = new RawClient(path);
  client.send(request);
  await client.closed();
  expect(await client.answer()).toBeNull();
  expect(bugs).toEqual([new Error("bug")]);
});
