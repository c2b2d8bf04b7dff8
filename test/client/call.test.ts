// call() against an honest daemon, and against daemons that misbehave in every way.
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { call, type CallOptions, isSocketMissing } from "../../src/client/call.ts";
import { Connection } from "../../src/client/connection.ts";
import {
  jsonAnswer,
  type Script,
  type ScriptedDaemon,
  startDaemon,
  textAnswer,
} from "../support/socket/scripted-daemon.ts";

const running: ScriptedDaemon[] = [];

afterEach(async () => {
  for (const daemon of running.splice(0)) await daemon.stop();
});

async function start(script: Script): Promise<ScriptedDaemon> {
  const daemon = await startDaemon(script);
  running.push(daemon);
  return daemon;
}

const LIMIT_BYTES = 1000;

function options(socketPath: string, more: Partial<CallOptions> = {}): CallOptions {
  return { socketPath, method: "GET", path: "/v1/x", timeoutMs: 10_000, answerLimitBytes: LIMIT_BYTES, ...more };
}

/** A JSON text with exactly this many bytes. */
function jsonOf(sizeBytes: number): string {
  return JSON.stringify("x".repeat(sizeBytes - 2));
}

const drip = (socket: Socket, text: string): void => {
  socket.write(text);
  const timer = setInterval(() => socket.write(" "), 5);
  socket.on("close", () => clearInterval(timer));
};

describe("call", () => {
  test("sends method, path, token and JSON body, and reads status, Retry-After and body", async () => {
    const daemon = await start((socket) =>
      socket.write(jsonAnswer(429, { a: [1, "é"] }, ["Retry-After: 7", "Outcall-Record: rec-0"]))
    );
    const answer = await call(options(daemon.socketPath, { method: "POST", body: { b: "ü" }, token: "tok-1" }));
    expect(answer).toEqual({
      ok: true,
      value: { status: 429, retryAfter: "7", record: "rec-0", body: { a: [1, "é"] } },
    });
    expect(daemon.received).toMatchObject([{
      method: "POST",
      path: "/v1/x",
      body: '{"b":"ü"}',
      headers: { authorization: "Bearer tok-1", "content-type": "application/json", "content-length": "10" },
    }]);
  });

  test("sends neither body nor token where there is none", async () => {
    const daemon = await start((socket) => socket.write(jsonAnswer(200, null)));
    expect(await call(options(daemon.socketPath))).toMatchObject({ ok: true, value: { status: 200, body: null } });
    expect(daemon.received[0]?.headers["authorization"]).toBeUndefined();
    expect(daemon.received[0]?.headers["content-type"]).toBeUndefined();
    expect(daemon.received[0]?.body).toBe("");
  });

  const good: readonly [note: string, answer: string, closes: boolean, body: unknown][] = [
    ["as long as the limit", textAnswer(200, jsonOf(LIMIT_BYTES)), false, "x".repeat(LIMIT_BYTES - 2)],
    ["in chunks", 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n', false, {
      a: 1,
    }],
    ["ended by the close", "HTTP/1.1 200 OK\r\n\r\n[1]", true, [1]],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n[1]", true, [1]],
    ["behind 100 Continue", `HTTP/1.1 100 Continue\r\n\r\n${textAnswer(200, "[1]")}`, false, [1]],
    ["not followed to where it redirects", jsonAnswer(302, [1], ["Location: /elsewhere"]), false, [1]],
    ["not unpacked", jsonAnswer(200, [1], ["Content-Encoding: identity"]), false, [1]],
  ];
  test.each(good)("reads an answer %s", async (_note, text, closes, body) => {
    const daemon = await start((socket) => closes ? socket.end(text) : socket.write(text));
    const answer = await call(options(daemon.socketPath));
    expect(answer).toMatchObject({ ok: true, value: { body } });
    expect(daemon.received.length).toBe(1);
  });

  const bad: readonly [note: string, script: Script, code: string][] = [
    ["one byte over the limit", (s) => s.write(textAnswer(200, jsonOf(LIMIT_BYTES + 1))), "client.bad-answer"],
    [
      "over the limit in chunks without an end",
      (s) =>
        s.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${`64\r\n${"x".repeat(100)}\r\n`.repeat(11)}`),
      "client.bad-answer",
    ],
    ["of a megabyte", (s) => s.write(textAnswer(200, jsonOf(1_000_000))), "client.bad-answer"],
    ["with headers without end", (s) => s.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}`), "client.bad-answer"],
    ["in HTML", (s) => s.write(textAnswer(200, "<html>ok</html>")), "client.bad-answer"],
    ["that is empty", (s) => s.write(textAnswer(200, "")), "client.bad-answer"],
    ["without content", (s) => s.write("HTTP/1.1 204 No Content\r\n\r\n"), "client.bad-answer"],
    ["with JSON that is cut", (s) => s.write(textAnswer(200, '{"a":')), "client.bad-answer"],
    [
      "with JSON that is not UTF-8",
      (s) => s.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n"\u00ff"', "latin1")),
      "client.bad-answer",
    ],
    ["with a byte order mark", (s) => s.write(textAnswer(200, "\ufeff{}")), "client.bad-answer"],
    [
      "that is packed",
      (s) => s.write(textAnswer(200, "\x1f\x8b\x08", ["Content-Encoding: gzip"])),
      "client.bad-answer",
    ],
    ["that is not HTTP", (s) => s.end("hello\r\n\r\n"), "client.bad-answer"],
    ["with two lengths", (s) => s.end(textAnswer(200, "[1]", ["Content-Length: 1"])), "client.bad-answer"],
    [
      "with length and chunks",
      (s) => s.end(textAnswer(200, "[1]", ["Transfer-Encoding: chunked"])),
      "client.bad-answer",
    ],
    [
      "that switches protocols",
      (s) => s.write("HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
      "client.bad-answer",
    ],
    ["cut before its length", (s) => s.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}"), "client.unreachable"],
    [
      "cut between chunks",
      (s) => s.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"),
      "client.unreachable",
    ],
    ["cut in its head", (s) => s.end("HTTP/1.1 200 OK\r\nContent-"), "client.unreachable"],
    ["that is only a close", (s) => s.end(), "client.unreachable"],
    ["that is a reset", (s) => s.destroy(), "client.unreachable"],
  ];
  test.each(bad)("refuses an answer %s, and does not ask again", async (_note, script, code) => {
    const daemon = await start(script);
    const answer = await call(options(daemon.socketPath));
    expect(answer).toMatchObject({ ok: false, error: { code } });
    expect(daemon.connections()).toBe(1);
    expect(daemon.received.length).toBe(1);
  });

  const slow: readonly [note: string, script: Script][] = [
    ["says nothing", () => undefined],
    ["drips its head", (s) => drip(s, "HTTP/1.1 200 OK\r\nX:")],
    ["drips its body", (s) => drip(s, "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n")],
    ["drips chunks", (s) => {
      s.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      const timer = setInterval(() => s.write("1\r\n \r\n"), 20);
      s.on("close", () => clearInterval(timer));
    }],
    ["says 100 Continue for ever", (s) => {
      const timer = setInterval(() => s.write("HTTP/1.1 100 Continue\r\n\r\n"), 5);
      s.on("close", () => clearInterval(timer));
    }],
  ];
  test.each(slow)("ends in its time with a daemon that %s", async (_note, script) => {
    const daemon = await start(script);
    const answer = await call(options(daemon.socketPath, { timeoutMs: 200, answerLimitBytes: 1_000_000 }));
    expect(answer).toMatchObject({ ok: false, error: { code: "client.unreachable" } });
    expect(answer.ok ? "" : answer.error.message).toBe(`outcalld at ${daemon.socketPath} did not answer in time`);
  });

  test("distinguishes a missing socket from one without a listener", async () => {
    const directory = mkdtempSync(join(tmpdir(), "outcall-"));
    const file = join(directory, "file");
    writeFileSync(file, "");
    const missing = await call(options(join(directory, "none.sock")));
    const refused = await call(options(file));
    const tooLong = await call(options(join(directory, "x".repeat(200))));
    rmSync(directory, { recursive: true });
    expect(missing).toMatchObject({ ok: false, error: { code: "client.unreachable" } });
    expect(missing.ok || isSocketMissing(missing.error)).toBe(true);
    expect(refused).toMatchObject({
      ok: false,
      error: { code: "client.unreachable", message: `cannot connect to outcalld at ${file} -- is it running?` },
    });
    expect(!refused.ok && isSocketMissing(refused.error)).toBe(false);
    expect(tooLong).toMatchObject({ ok: false, error: { code: "client.unreachable" } });
  });

  test("never takes an empty path for a port of this machine", async () => {
    const answer = await call(options(""));
    expect(answer.ok ? "" : answer.error.message).toBe('cannot connect to outcalld at "" -- is it running?');
    expect(answer.ok ? "" : answer.error.hint).toBeUndefined();
  });
});

describe("Connection", () => {
  test("carries several calls, one after the other", async () => {
    const daemon = await start((socket) => socket.write(jsonAnswer(200, {})));
    const connection = new Connection();
    for (const path of ["/1", "/2", "/3"]) {
      expect((await call(options(daemon.socketPath, { path, connection }))).ok).toBe(true);
    }
    connection.close();
    expect(daemon.received.map((each) => [each.connection, each.path])).toEqual([[1, "/1"], [1, "/2"], [1, "/3"]]);
  });

  test("does not repeat a call when the daemon hangs up on it", async () => {
    const daemon = await start((socket, { path }) =>
      path === "/1" ? socket.write(jsonAnswer(200, {})) : socket.destroy()
    );
    const connection = new Connection();
    const first = await call(options(daemon.socketPath, { path: "/1", connection }));
    const second = await call(options(daemon.socketPath, { path: "/2", connection }));
    connection.close();
    expect(first.ok).toBe(true);
    expect(second).toMatchObject({ ok: false, error: { code: "client.unreachable" } });
    expect(daemon.received.map((each) => each.path)).toEqual(["/1", "/2"]);
  });

  test("is opened again if the daemon closes it after each answer", async () => {
    const daemon = await start((socket) => socket.end(jsonAnswer(200, {}, ["Connection: close"])));
    const connection = new Connection();
    for (const path of ["/1", "/2"]) {
      expect((await call(options(daemon.socketPath, { path, connection }))).ok).toBe(true);
    }
    connection.close();
    expect(daemon.connections()).toBe(2);
  });
});
