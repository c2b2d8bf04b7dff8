// The rate limits of the built daemon (S004-FR-014, section 5), with agents in real containers: the scenarios of the
// specification by name, and that the windows of containers are independent.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { AgentContainer } from "../support/agent/container.ts";
import { AgentEngine } from "../support/agent/engine.ts";
import { bearer, BODY_LIMIT, CHECK } from "../support/agent/refusals.ts";
import { requirement } from "../support/container/container.ts";
import { callSocket, type Daemon } from "../support/program/daemon.ts";
import { missingEngine } from "../support/host/docker.ts";
import { type RawRequest, type RawResponse, requestText } from "../support/socket/raw-http.ts";

setDefaultTimeout(120_000);

const RULES = { "10-a.yaml": 'version: "1"\nrules:\n  - {id: all, condition: \'target != ""\', action: allow}\n' };
/** The default number of permission requests in ten seconds; requests of any kind have a multiple of it. */
const PERMISSIONS = 100;
const ANY_FACTOR = 3;
/** Less than the number of requests that may wait on a connection. */
const BATCH = 100;
const ASKED = { action_type: "tool_exec", target: "x" };
const LIMITED = '{"success":false,"error":"rate limit exceeded","code":"session.rate-limited"}';

const { label, skip } = requirement("rates", missingEngine());

describe.skipIf(skip)(label, () => {
  let bench: AgentEngine;
  let daemon: Daemon;
  /**
   * One daemon with the same number in a window that outlasts every test, and one with a small number in a window that
   * a test can wait for.
   */
  let long: Daemon;
  let brief: Daemon;
  const BRIEF = { count: 4, seconds: 2 };

  beforeAll(async () => {
    bench = AgentEngine.start();
    daemon = await bench.startDaemon(RULES);
    long = await bench.startDaemon(RULES, ["--agent-perm-rate", `${PERMISSIONS}/3600`]);
    brief = await bench.startDaemon(RULES, ["--agent-perm-rate", `${BRIEF.count}/${BRIEF.seconds}`]);
  });
  afterAll(() => bench?.stop());

  // Sends all requests at once on one connection; a request without an answer has the status 0.
  async function askOften(agent: AgentContainer, request: RawRequest, count: number): Promise<readonly RawResponse[]> {
    const client = agent.connect();
    const answers: RawResponse[] = [];
    for (let sent = 0; sent < count; sent += BATCH) {
      const some = Math.min(BATCH, count - sent);
      client.send(requestText(request).repeat(some));
      for (let each = 0; each < some; each++) {
        answers.push(await client.answer() ?? { status: 0, headers: {}, body: "" });
      }
    }
    client.destroy();
    return answers;
  }

  const statusesOf = (answers: readonly RawResponse[]) => answers.map(({ status }) => status);
  const times = (count: number, status: number) => Array.from({ length: count }, () => status);
  const checkWith = (token: string): RawRequest => ({ path: CHECK, headers: bearer(token), body: ASKED });

  async function decided({ files }: Daemon): Promise<number> {
    const { body } = await callSocket(files.hostSocket, "GET", "/api/v1/status");
    const { counts } = JSON.parse(JSON.stringify(body)).data;
    return counts.allowed + counts.blocked;
  }

  test("S004-AS-010 rate limit enforced", async () => {
    const { id, agent } = await bench.startAgent(daemon, "as-010");
    const { session_token } = await agent.checkIn();
    const before = await decided(daemon);
    const answers = await askOften(agent, checkWith(session_token), PERMISSIONS + 10);
    expect(statusesOf(answers)).toEqual([...times(PERMISSIONS, 200), ...times(10, 429)]);
    for (const { headers, body } of answers.slice(PERMISSIONS)) {
      expect(body).toBe(LIMITED);
      expect(headers["retry-after"]).toMatch(/^([1-9]|10)$/);
    }
    // Refused requests are not evaluated.
    expect(await decided(daemon)).toBe(before + PERMISSIONS);
    await daemon.record({ event: "agent.check.refused", container: id, status: 429, seed: "RateLimited" });
  });

  test("the window is the container's: of all its processes and connections, and of no other container", async () => {
    const one = await bench.startAgent(long, "one-of-many");
    const other = await bench.startAgent(long, "another");
    const beside = await bench.enter(one.id, "beside");
    const { session_token } = await one.agent.checkIn();
    const half = PERMISSIONS / 2;
    expect(statusesOf(await askOften(one.agent, checkWith(session_token), half))).toEqual(times(half, 200));
    expect(statusesOf(await askOften(beside, checkWith(session_token), half))).toEqual(times(half, 200));
    for (const agent of [one.agent, beside]) expect((await agent.check(session_token, ASKED)).status).toBe(429);
    const others = await other.agent.checkIn();
    const answers = await askOften(other.agent, checkWith(others.session_token), PERMISSIONS);
    expect(statusesOf(answers)).toEqual(times(PERMISSIONS, 200));
  });

  test("a request that is refused before the rate check does not use up the window", async () => {
    const { agent } = await bench.startAgent(long, "refused-often");
    const { session_token } = await agent.checkIn();
    const refused: readonly (readonly [status: number, request: RawRequest])[] = [
      [401, { path: CHECK, body: ASKED }],
      [400, { path: CHECK, headers: bearer(session_token), body: {} }],
      [404, { path: "/v1/nothing" }],
      [413, { path: CHECK, body: "x".repeat(BODY_LIMIT + 1) }],
    ];
    for (const [status, request] of refused) {
      expect(statusesOf(await askOften(agent, request, 20))).toEqual(times(20, status));
    }
    const answers = await askOften(agent, checkWith(session_token), PERMISSIONS + 1);
    expect(statusesOf(answers)).toEqual([...times(PERMISSIONS, 200), 429]);
  });

  test("S004-EC-006 over the permission rate, and normal again as the window slides", async () => {
    const { agent } = await bench.startAgent(brief, "ec-006");
    const { session_token } = await agent.checkIn();
    const answers = await askOften(agent, checkWith(session_token), BRIEF.count + 2);
    expect(statusesOf(answers)).toEqual([...times(BRIEF.count, 200), 429, 429]);
    const seconds = Number(answers.at(-1)?.headers["retry-after"]);
    expect([1, 2]).toContain(seconds);
    // Waits exactly as long as the daemon said.
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    expect((await agent.check(session_token, ASKED)).status).toBe(200);
  });

  test("S004-EC-006 any requests over three times the rate: 429 and the end of the connection", async () => {
    const { id, agent } = await bench.startAgent(long, "floods");
    const limit = PERMISSIONS * ANY_FACTOR;
    const answers = await askOften(agent, { path: "/v1/checkin" }, limit + 2);
    expect(statusesOf(answers)).toEqual([...times(limit, 200), 429, 0]);
    expect(answers[limit]).toMatchObject({ body: LIMITED, headers: { connection: "close" } });
    expect(answers[limit]?.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    await long.record({ event: "agent.checkin.refused", container: id, status: 429 });
    // Requests of any kind on any connection are refused, and other containers are not affected.
    const more: readonly RawRequest[] = [
      { path: CHECK, body: "{" },
      { path: "/v1/nothing" },
      { method: "GET", path: "/v1/checkin" },
    ];
    for (const request of more) {
      const client = agent.connect();
      expect(await client.ask(request)).toMatchObject({ status: 429, body: LIMITED });
      await client.closed();
      client.destroy();
    }
    const other = await bench.startAgent(long, "does-not-flood");
    expect((await other.agent.checkIn()).container_id).toBe(`ctr-${other.id.slice(0, 12)}`);
  });

  test("a restart of the container empties no window", async () => {
    const { id, agent } = await bench.startAgent(long, "begins-anew");
    const { session_token } = await agent.checkIn();
    const answers = await askOften(agent, checkWith(session_token), PERMISSIONS);
    expect(statusesOf(answers)).toEqual(times(PERMISSIONS, 200));
    bench.engine.docker(["restart", "-t", "0", id]);
    const again = await bench.enter(id, "begins-anew-again");
    const next = await again.checkIn();
    expect(next.session_token).not.toBe(session_token);
    expect((await again.check(next.session_token, ASKED)).status).toBe(429);
  });
});
