// Many requests of many containers to the built daemon: each gets its own answers, the log agrees, and a container that
// floods or hangs does not delay the others. The tests check order and number, not time.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { AgentContainer, type Checkin } from "../support/agent/container.ts";
import { bearer, CHECK } from "../support/agent/refusals.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { type Daemon, type LogRecord, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { type RawClient, requestText } from "../support/socket/raw-http.ts";

setDefaultTimeout(120_000);

const RULES = {
  "10-own.yaml": `version: "1"
rules:
  - {id: hangs, condition: 'target == "/hang"', action: enrich, enrich: {script: hang.sh, timeout_ms: 60000}}
  - {id: quick, condition: 'target == "/quick"', action: enrich, enrich: {script: quick.sh}}
  - {id: quickly, condition: 'target == "/quick" && enriched.done == true', action: allow}
  - {id: own, condition: 'has(metadata.claim) && metadata.claim == agent.name', action: allow}
`,
};
const SCRIPTS = {
  "hang.sh": "#!/bin/sh\nexec sleep 1000000\n",
  "quick.sh": "#!/bin/sh\necho '{\"done\": true}'\n",
};
const FLAGS = [...PLAIN_FLAGS, "--agent-perm-rate", "1000000/10"];

/** Less than the number of requests that may wait on a connection (PIPELINE_LIMIT). */
const BATCH = 50;
const INTERLEAVED = 10_000;
const CONTAINERS = 24;
/** For one container, two hooks run and eight wait; a further evaluation continues without its hook. */
const HUNG = 10;

const { label, skip } = requirement("load", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  const agents: AgentContainer[] = [];

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: [...FLAGS, "--agent-timeout", "1m"] });
    for (const [name, script] of Object.entries(SCRIPTS)) {
      writeFileSync(join(daemon.files.rulesDir, name), script, { mode: 0o755 });
    }
  });
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.stop();
  });
  afterAll(async () => {
    // A daemon that is stopped also ends its hooks; a killed one could not.
    await daemon?.end();
    await daemon?.dispose();
  });

  async function start(name: string): Promise<{ readonly agent: AgentContainer; readonly own: Checkin }> {
    const agent = await AgentContainer.start(daemon.files.dir, name, daemon.files.agentSocket);
    agents.push(agent);
    return { agent, own: await agent.checkIn() };
  }

  type Kept = { readonly container: unknown; readonly decision: unknown; readonly target: string };
  type Asked = { readonly target: string; readonly claim: string };

  const textOf = (token: string, { target, claim }: Asked) =>
    requestText({
      path: CHECK,
      headers: bearer(token),
      body: { action_type: "tool_exec", target, metadata: { claim } },
    });

  // Sends requests in batches on one connection; each answer must belong to its request.
  async function askAll(client: RawClient, own: Checkin, asked: readonly Asked[]): Promise<number> {
    let right = 0;
    for (let from = 0; from < asked.length; from += BATCH) {
      const batch = asked.slice(from, from + BATCH);
      client.send(batch.map((each) => textOf(own.session_token, each)).join(""));
      for (const { target, claim } of batch) {
        const answer = await client.answer();
        const { allowed, reason } = JSON.parse(answer?.body ?? "{}").data ?? {};
        const expected = claim === own.container_id ? [true, null] : [false, `no rule allows tool_exec to ${target}`];
        if (JSON.stringify([allowed, reason]) === JSON.stringify(expected)) right++;
      }
    }
    client.destroy();
    return right;
  }

  test("two containers with ten thousand checks between each other: no verdict and no record is mixed", async () => {
    const [a, b] = [await start("a"), await start("b")];
    const ids = [a.own.container_id, b.own.container_id];
    const share = INTERLEAVED / 8;
    const lanes = [a, b, a, b, a, b, a, b].map(({ agent, own }, lane) => {
      const asked = Array.from({ length: share }, (_, index) => ({
        target: `/${own.container_id}/${lane}/${index}`,
        claim: ids[index % 2] ?? "",
      }));
      return askAll(agent.connect(), own, asked);
    });
    expect(await Promise.all(lanes)).toEqual(lanes.map(() => share));
    const checked = await recordsOf("agent.check", INTERLEAVED);
    expect(new Set(checked.map(({ target }) => target)).size).toBe(INTERLEAVED);
    const mixed = checked.filter(({ target, name, allowed }) => {
      const [, owner = "", , index = ""] = String(target).split("/");
      return name !== owner || allowed !== (ids[Number(index) % 2] === owner);
    });
    expect(mixed).toEqual([]);
    const containers = new Map(checked.map(({ name, container }) => [name, container]));
    expect(containers.size).toBe(2);
    expect(checked.filter(({ name, container }) => containers.get(name) !== container)).toEqual([]);
    const kept = await keptDecisions(INTERLEAVED);
    expect(new Set(kept.map(({ target }) => target)).size).toBe(INTERLEAVED);
    const requesters = new Map(checked.map(({ target, container, allowed }) => [target, `${container} ${allowed}`]));
    const strays = kept.filter(({ target, container, decision }) => {
      return requesters.get(target) !== `${container} ${decision === "allow"}`;
    });
    expect(strays).toEqual([]);
  });

  // The decisions in the log, as soon as there are this many: plain allows are written with a delay.
  async function keptDecisions(count: number): Promise<readonly Kept[]> {
    const log = new DatabaseSync(join(daemon.files.dir, "state", "decisions.db"), { readOnly: true });
    const size = log.prepare("SELECT count(*) AS size FROM record WHERE kind = 'decision'");
    while (Number(size.get()?.["size"]) < count) await new Promise((resolve) => setImmediate(resolve));
    const query = log.prepare("SELECT container, decision, body FROM record WHERE kind = 'decision'");
    const kept = query.all().map(({ container, decision, body }) => {
      return { container, decision, target: JSON.parse(String(body)).context.target };
    });
    log.close();
    return kept;
  }

  async function recordsOf(event: string, count: number): Promise<readonly LogRecord[]> {
    const found = () => daemon.records.filter((record) => record["event"] === event);
    while (found().length < count) await new Promise((resolve) => setImmediate(resolve));
    return found();
  }

  test("twenty-four containers at once: each has its own identity, token and answers", async () => {
    const started = await Promise.all(Array.from({ length: CONTAINERS }, (_, index) => start(`c${index}`)));
    const ids = started.map(({ own }) => own.container_id);
    expect(new Set(ids).size).toBe(CONTAINERS);
    expect(new Set(started.map(({ own }) => own.session_token)).size).toBe(CONTAINERS);
    const rights = await Promise.all(started.map(({ agent, own }, at) => {
      const asked = Array.from({ length: 4 * BATCH }, (_, index) => ({
        target: `/${own.container_id}/${index}`,
        claim: ids[(at + index % 2) % CONTAINERS] ?? "",
      }));
      return askAll(agent.connect(), own, asked);
    }));
    expect(rights).toEqual(started.map(() => 4 * BATCH));
    const strangers = await Promise.all(started.map(async ({ agent }, at) => {
      const next = started[(at + 1) % CONTAINERS]?.own.session_token ?? "";
      return (await agent.check(next, { action_type: "tool_exec", target: "x" })).status;
    }));
    expect(strangers).toEqual(started.map(() => 401));
    const again = await Promise.all(started.map(({ agent }) => agent.checkIn()));
    expect(again).toEqual(started.map(({ own }) => own));
  });

  const ownChecks = (own: Checkin) => {
    return Array.from({ length: 10 * BATCH }, (_, index) => ({ target: `/${index}`, claim: own.container_id }));
  };

  test("a container whose evaluations and requests hang delays no other", async () => {
    const [hanging, other] = [await start("hanging"), await start("other")];
    const { session_token, container_id } = hanging.own;
    let answered = 0;
    const { promise: full, resolve } = Promise.withResolvers<void>();
    for (let count = 0; count < HUNG + 1; count++) {
      const client = hanging.agent.connect();
      client.send(textOf(session_token, { target: "/hang", claim: container_id }));
      void client.answer().then(() => {
        answered++;
        resolve();
      });
    }
    // The evaluation that finds no place in the queue continues without its hook, which shows that the others are
    // running or waiting.
    await full;
    const halves = ["", "POST /v1/checkin HTTP/1.1\r\nhost", requestText({ path: CHECK, body: "{}" }).slice(0, -1)];
    for (const half of halves) {
      for (let count = 0; count < 10; count++) hanging.agent.connect().send(half);
    }
    expect(await askAll(other.agent.connect(), other.own, ownChecks(other.own))).toBe(10 * BATCH);
    for (let count = 0; count < HUNG; count++) {
      const answer = await other.agent.ask(jsonCheck(other.own.session_token, "/quick"));
      expect(JSON.parse(answer.body).data).toMatchObject({ allowed: true });
    }
    expect(answered).toBe(1);
  });

  const jsonCheck = (token: string, target: string) => {
    return { path: CHECK, headers: bearer(token), body: { action_type: "tool_exec", target } };
  };

  test("a container that floods and reads nothing delays no other", async () => {
    const [flooding, other] = [await start("flooding"), await start("calm")];
    const flood = textOf(flooding.own.session_token, { target: "/x", claim: flooding.own.container_id }).repeat(BATCH);
    const clients = Array.from({ length: 40 }, () => flooding.agent.connect());
    for (const client of clients) client.socket.pause();
    const pour = () => clients.forEach((client) => client.send(flood));
    pour();
    await daemon.record({ event: "agent.check", name: flooding.own.container_id });
    const timer = setInterval(pour, 1);
    expect(await askAll(other.agent.connect(), other.own, ownChecks(other.own))).toBe(10 * BATCH);
    clearInterval(timer);
    for (const client of clients) client.destroy();
    expect((await other.agent.checkIn()).container_id).toBe(other.own.container_id);
  });

  test("nothing of all this was a bug", () => {
    expect(daemon.records.filter((record) => record["event"] === "bug" || record["level"] === "error")).toEqual([]);
    expect(daemon.process.exitCode).toBeNull();
  });
});
