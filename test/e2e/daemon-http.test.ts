// Malformed HTTP from a hostile agent to the built daemon: each input gets a JSON error or ends the connection, and the
// daemon continues to serve.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { AgentContainer, type Checkin } from "../support/agent/container.ts";
import { ALLOWED, bearer, BODY_LIMIT, CHECK } from "../support/agent/refusals.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { chunkedText, requestText } from "../support/socket/raw-http.ts";

const RULES = {
  "00-test.yaml": `version: "1"\nrules:\n  - {id: echo, condition: 'run.path == "/bin/echo"', action: allow}\n`,
};

const { label, skip } = requirement("hostile HTTP", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  let first: AgentContainer;
  let own: Checkin;

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
    first = await AgentContainer.start(daemon.files.dir, "first", daemon.files.agentSocket);
    own = await first.checkIn();
  });
  afterAll(async () => {
    await first?.stop();
    await daemon?.dispose();
  });

  const big = "x".repeat(BODY_LIMIT + 1);
  const oversized: readonly { note: string; bytes: string }[] = [
    { note: "with its length", bytes: requestText({ path: CHECK, body: big }) },
    { note: "in chunks (EC-010)", bytes: chunkedText(CHECK, [big.slice(0, 40_000), big.slice(40_000)]) },
    { note: "of two megabytes", bytes: requestText({ path: CHECK, body: "x".repeat(2_000_000) }) },
  ];
  for (const { note, bytes } of oversized) {
    test(`413 for a body ${note}; the connection is usable afterwards`, async () => {
      const client = first.connect();
      client.send(bytes);
      expect(await client.answer()).toMatchObject({
        status: 413,
        body: '{"success":false,"error":"request body too large","code":"daemon.too-large"}',
      });
      expect(await client.ask({ path: "/v1/checkin" })).toMatchObject({ status: 200 });
      client.destroy();
    });
  }

  test("a body of exactly the limit is read", async () => {
    const head = '{"action_type":"tool_exec","target":"/bin/echo","metadata":{"a":"';
    const body = `${head}${"x".repeat(BODY_LIMIT - head.length - 3)}"}}`;
    expect(Buffer.byteLength(body)).toBe(BODY_LIMIT);
    expect((await first.check(own.session_token, body)).status).toBe(200);
    const answer = await first.ask({ path: "/v1/checkin", body: `{}${" ".repeat(BODY_LIMIT - 2)}` });
    expect(answer.status).toBe(200);
  });

  test("a chunked body is read like any other", async () => {
    const client = first.connect();
    const body = JSON.stringify({ ...ALLOWED, session_token: own.session_token });
    client.send(chunkedText(CHECK, [body.slice(0, 10), body.slice(10)]));
    expect(await client.answer()).toMatchObject({ status: 200 });
    client.destroy();
  });

  test("requests sent at once are answered in their order, the good and the bad", async () => {
    const client = first.connect();
    const good = requestText({ path: CHECK, headers: bearer(own.session_token), body: ALLOWED });
    const requests = [
      good,
      requestText({ path: "/v1/nothing" }),
      requestText({ path: CHECK, body: big }),
      requestText({ path: CHECK, body: "{" }),
      good,
    ];
    client.send(requests.join(""));
    const statuses: (number | undefined)[] = [];
    for (const _ of requests) statuses.push((await client.answer())?.status);
    expect(statuses).toEqual([200, 404, 413, 400, 200]);
    client.destroy();
  });

  test("garbage behind a request does not take the place of its answer", async () => {
    const client = first.connect();
    const good = requestText({ path: CHECK, headers: bearer(own.session_token), body: ALLOWED });
    client.send(`${good}\0\0garbage\r\n\r\n`);
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(await client.answer()).toMatchObject({ status: 400, headers: { connection: "close" } });
    await client.closed();
  });

  const ANSWERED: readonly { note: string; bytes: string | Uint8Array; status: number }[] = [
    { note: "absolute target", bytes: head("POST http://outcall/v1/checkin"), status: 400 },
    { note: "target of two slashes", bytes: head("POST //outcall/v1/checkin"), status: 400 },
    { note: "asterisk", bytes: head("OPTIONS *"), status: 400 },
    { note: "dot segments", bytes: head("POST /x/../v1/checkin"), status: 400 },
    { note: "encoded dot segments", bytes: head("POST /x/%2E%2e/v1/checkin"), status: 400 },
    { note: "backslash", bytes: head("POST /x\\..\\v1/checkin"), status: 400 },
    { note: "fragment", bytes: head("POST /v1/checkin#x"), status: 400 },
    { note: "bad percent code", bytes: head("POST /v1/%zz"), status: 400 },
    { note: "percent code of no text", bytes: head("POST /v1/%ff"), status: 400 },
    { note: "an encoded letter is another path", bytes: head("POST /v1/%63heckin"), status: 404 },
    {
      note: "odd host",
      bytes: 'POST /v1/checkin HTTP/1.1\r\nHost: a"<>\\?#@:99999\r\nContent-Length: 0\r\n\r\n',
      status: 200,
    },
    { note: "query", bytes: head("POST /v1/checkin?__proto__=1&a[b]=c"), status: 200 },
    { note: "unknown expectation", bytes: head("POST /v1/checkin", "Expect: the-worst"), status: 200 },
    { note: "upgrade", bytes: head("GET /v1/checkin", "Connection: Upgrade", "Upgrade: websocket"), status: 405 },
    { note: "tunnel", bytes: head("CONNECT example.org:443"), status: 405 },
    { note: "two lengths", bytes: head("POST /v1/checkin", "Content-Length: 2"), status: 400 },
    { note: "the same length twice", bytes: head("POST /v1/checkin", "Content-Length: 0"), status: 400 },
    {
      note: "negative length",
      bytes: "POST /v1/checkin HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
      status: 400,
    },
    {
      note: "signed length",
      bytes: "POST /v1/checkin HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n{}",
      status: 400,
    },
    { note: "length and chunks", bytes: head("POST /v1/checkin", "Transfer-Encoding: chunked"), status: 400 },
    {
      note: "another transfer coding",
      bytes: "POST /v1/checkin HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      status: 400,
    },
    {
      note: "bad chunk",
      bytes: "POST /v1/checkin HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
      status: 400,
    },
    { note: "header without a name", bytes: head("POST /v1/checkin", ": x"), status: 400 },
    { note: "folded header", bytes: head("POST /v1/checkin", "A: b\r\n c"), status: 400 },
    { note: "70 kB header", bytes: head("POST /v1/checkin", `A: ${"a".repeat(70_000)}`), status: 400 },
    {
      note: "3,000 headers",
      bytes: head("POST /v1/checkin", ...Array.from({ length: 3_000 }, () => "a: b")),
      status: 400,
    },
    { note: "another protocol", bytes: "SSH-2.0-OpenSSH_9.2\r\n\r\n", status: 400 },
    { note: "binary", bytes: Uint8Array.from({ length: 64 }, (_, index) => (index * 37) % 256), status: 400 },
  ];
  for (const { note, bytes, status } of ANSWERED) {
    test(`${status}: ${note}`, async () => {
      const client = first.connect();
      client.send(bytes);
      const answer = await client.answer();
      expect(answer?.status).toBe(status);
      expect(JSON.parse(answer?.body ?? "")).toMatchObject({ success: status === 200 });
      expect(answer?.headers["content-type"]).toBe("application/json");
      client.destroy();
    });
  }

  test("a bad chunk after good ones is answered at once", async () => {
    const client = first.connect();
    client.send("POST /v1/checkin HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n");
    client.send("zz\r\n\r\n");
    expect(await client.answer()).toMatchObject({ status: 400 });
    await client.closed();
  });

  test("a peer that half-closes gets its answer, and one of HTTP/1.0 the end behind it", async () => {
    const half = first.connect();
    half.send(requestText({ path: "/v1/checkin" }));
    half.socket.end();
    expect(await half.answer()).toMatchObject({ status: 200 });
    const old = first.connect();
    old.send("POST /v1/checkin HTTP/1.0\r\n\r\n");
    expect(await old.answer()).toMatchObject({ status: 200 });
    await old.closed();
    half.destroy();
  });

  test("a flood of requests on one connection ends that connection and no other", async () => {
    const client = first.connect();
    client.send(requestText({ path: "/v1/checkin" }).repeat(20_000));
    await client.closed();
    client.destroy();
    expect((await first.check(own.session_token, ALLOWED)).status).toBe(200);
  });

  test("peers that go away in the middle of anything leave the daemon as it was", async () => {
    const whole = requestText({ path: CHECK, headers: bearer(own.session_token), body: ALLOWED });
    for (const length of [0, 1, 20, whole.length - 1, whole.length]) {
      const client = first.connect();
      client.send(whole.slice(0, length));
      client.destroy();
    }
    expect((await first.check(own.session_token, ALLOWED)).status).toBe(200);
  });

  test("no internal error was logged, and the daemon ends in order", async () => {
    expect(await daemon.end("SIGTERM")).toBe(0);
    expect(daemon.records.filter((record) => record["event"] === "bug" || record["level"] === "error")).toEqual([]);
  });
});

function head(line: string, ...headers: readonly string[]): string {
  return [`${line} HTTP/1.1`, "Host: outcall", "Content-Length: 0", ...headers, "", ""].join("\r\n");
}
