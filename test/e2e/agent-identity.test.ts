// How the built daemon identifies callers, in each engine mode: passed connections, cgroups that only look like a
// container's, restarted containers, and access to the host socket.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { AgentContainer, type Checkin } from "../support/agent/container.ts";
import { AgentEngine, type EngineAgent, INSIDE_SOCKET } from "../support/agent/engine.ts";
import { bearer, CHECK } from "../support/agent/refusals.ts";
import { requirement, ROOT, type Talker } from "../support/container/container.ts";
import { cgroupBelow, hostCgroup, moveHome, type TestCgroup } from "../support/container/cgroup.ts";
import { callSocket, type Daemon } from "../support/program/daemon.ts";
import { BASE_IMAGE, type ContainerPlan, ENGINE_MODES, missingEngine } from "../support/host/docker.ts";
import { ORDINARY_UID } from "../support/host/namespace.ts";
import { type RawRequest, type RawResponse, requestText } from "../support/socket/raw-http.ts";

setDefaultTimeout(120_000);

const RULES = { "10-a.yaml": 'version: "1"\nrules:\n  - {id: all, condition: \'target != ""\', action: allow}\n' };
const PASS = join(ROOT, "test", "support", "socket", "pass-descriptor.ts");
const CHECKIN = { path: "/v1/checkin" };
const REJECTED = {
  status: 403,
  body:
    '{"success":false,"error":"check-in rejected: peer does not belong to a known container","code":"container.unknown"}',
};
const FORBIDDEN = {
  status: 403,
  body: expect.stringMatching(/^\{"success":false,"error":"[^"]+","code":"[a-z]+\.[a-z-]+"\}$/),
};

// The place of the containers' cgroups only matters for finding containers, which has its own tests.
const MODES = ENGINE_MODES.filter(([, { cgroupParent }]) => cgroupParent === undefined);

describe.each(MODES)("the built daemon and an engine %s", (mode, variant) => {
  const needs = requirement(`identity ${mode}`, missingEngine());
  describe.skipIf(needs.skip)(needs.label, () => {
    let bench: AgentEngine;
    let daemon: Daemon;
    let byCgroup: Daemon;
    let a: EngineAgent;
    let b: EngineAgent;
    let ofA: Checkin;
    let ofB: Checkin;
    const cgroups: TestCgroup[] = [];
    let meetings = 0;

    beforeAll(async () => {
      bench = AgentEngine.start(variant);
      daemon = await bench.startDaemon(RULES);
      byCgroup = await bench.startDaemon(RULES, ["--containers", "cgroup"]);
      a = await bench.startAgent(daemon, "agent-a");
      b = await bench.startAgent(daemon, "agent-b");
      [ofA, ofB] = [await a.agent.checkIn(), await b.agent.checkIn()];
    });
    // In reverse order, because earlier ones may be parents of later ones.
    afterEach(() => cgroups.splice(0).reverse().forEach((made) => made.remove()));
    afterAll(() => bench?.stop());

    const sessions = async () => {
      const { body } = await callSocket(daemon.files.hostSocket, "GET", "/api/v1/status");
      return JSON.parse(JSON.stringify(body)).data.containers.sessions;
    };

    type Side = "host" | EngineAgent;

    // A connection that one side makes and the other takes over, with functions to use it and to end the side that made
    // it.
    async function handOn(from: Side, to: Side, sockets: { host: string; inside: string }) {
      const name = `meeting-${meetings++}.sock`;
      const run = (side: Side, args: readonly string[]) =>
        side === "host" ? bench.runOnHost(PASS, args) : bench.run(side.id, PASS, args);
      const meeting = (side: Side) => (side === "host" ? join(bench.shared, name) : bench.inside(name));
      const taker = run(to, ["take", meeting(to)]);
      expect(await taker.hear()).toBe("ready");
      // Lets every user connect to the meeting socket, whoever created it.
      chmodSync(join(bench.shared, name), 0o777);
      const giver = run(from, ["give", from === "host" ? sockets.host : sockets.inside, meeting(from)]);
      expect([await giver.hear(), await taker.hear()]).toEqual(["given", "taken"]);
      const ask = async (request: RawRequest): Promise<RawResponse> => {
        taker.say(JSON.stringify(requestText(request)));
        return JSON.parse(await taker.hear() ?? "null");
      };
      return { ask, exit: () => exit(giver) };
    }

    // The command that started the program ends after the program in the container has been reaped.
    async function exit(giver: Talker): Promise<void> {
      giver.process.stdin?.end();
      await giver.ended();
    }

    const agentSockets = () => ({ host: daemon.files.agentSocket, inside: INSIDE_SOCKET });

    const takers: readonly (readonly [note: string, taker: () => Side])[] = [
      ["a process of another container", () => b],
      ["a process of the host", () => "host"],
    ];
    for (const [note, taker] of takers) {
      test(`a connection handed to ${note} belongs to the process that connected while it lives, and is refused afterwards`, async () => {
        const { ask, exit } = await handOn(a, taker(), agentSockets());
        expect(JSON.parse((await ask(CHECKIN)).body).data).toEqual({ ...ofA, context_keys: expect.any(Array) });
        const body = { action_type: "tool_exec", target: "x" };
        expect((await ask({ path: CHECK, headers: bearer(ofA.session_token), body })).status).toBe(200);
        expect((await ask({ path: CHECK, headers: bearer(ofB.session_token), body })).status).toBe(401);
        await exit();
        expect(await ask(CHECKIN)).toMatchObject(REJECTED);
        expect(await ask({ path: CHECK, headers: bearer(ofA.session_token), body })).toMatchObject(REJECTED);
        expect(await ask({ path: CHECK, headers: bearer(ofB.session_token), body })).toMatchObject(REJECTED);
      });
    }

    test("a connection made on the host does not identify the process that takes it over as a container", async () => {
      const { ask, exit } = await handOn("host", a, agentSockets());
      expect(await ask(CHECKIN)).toMatchObject(REJECTED);
      await exit();
      expect(await ask(CHECKIN)).toMatchObject(REJECTED);
    });

    test("a connection to the host socket is the operator's while the process that connected lives, and is refused afterwards", async () => {
      const { hostSocket } = daemon.files;
      const { ask, exit } = await handOn("host", a, { host: hostSocket, inside: hostSocket });
      const health = { method: "GET", path: "/api/v1/health" };
      expect(await ask(health)).toMatchObject({ status: 200 });
      await exit();
      expect(await ask(health)).toMatchObject(FORBIDDEN);
    });

    // Lets a process of the host, in a given cgroup, speak to a daemon.
    async function fromCgroup(path: string, to: Daemon, owner?: number): Promise<RawResponse> {
      const socketPath = join(bench.shared, `host-${meetings++}.sock`);
      const relay = bench.runOnHost(join(ROOT, "test", "support", "socket", "relay.ts"), [
        socketPath,
        to.files.agentSocket,
      ]);
      const speaker = await AgentContainer.over(socketPath, relay);
      const cgroup = hostCgroup(path);
      cgroups.push(cgroup);
      cgroup.hold(relay.process.pid ?? 0);
      if (owner !== undefined) cgroup.giveTo(owner);
      const answer = await speaker.ask(CHECKIN);
      await speaker.stop();
      return answer;
    }

    test("a cgroup that only has a container's name is none, for the engine", async () => {
      expect(await fromCgroup(`outcall-named-${process.pid}/${a.id}`, daemon)).toMatchObject(REJECTED);
      expect(await fromCgroup(`outcall-named-${process.pid}/docker-${a.id}.scope`, daemon)).toMatchObject(REJECTED);
      await daemon.record({ event: "agent.checkin.refused", detail: "process is not in the container's cgroup" });
      expect(await fromCgroup(`outcall-named-${process.pid}/${"e".repeat(64)}`, daemon)).toMatchObject(REJECTED);
      await daemon.record({ event: "agent.checkin.refused", detail: "engine has no such container" });
    });

    test("a cgroup that was delegated to a user is none, whatever its name", async () => {
      const path = `outcall-named-${process.pid}/${"d".repeat(64)}`;
      expect(await fromCgroup(path, byCgroup, ORDINARY_UID)).toMatchObject(REJECTED);
    });

    async function withPeer(name: string, use: (agent: AgentContainer, pid: number) => Promise<void>): Promise<void> {
      const { id, agent } = await bench.startAgent(daemon, name);
      const top = bench.engine.docker(["top", id, "-eo", "pid,args"]).split("\n");
      const pid = Number(top.find((line) => line.includes("relay.ts"))?.trim().split(/\s+/)[0]);
      await use(agent, pid);
      bench.engine.removeContainer(id);
    }

    test("a cgroup below, named like another container, is not that", async () => {
      await withPeer("nested", async (agent, pid) => {
        const before = await agent.checkIn();
        cgroupBelow(pid, b.id).hold(pid);
        expect(await agent.checkIn()).toEqual(before);
      });
    });

    test("a process that is moved out of its container is refused from then on, also on an open connection", async () => {
      await withPeer("moved", async (agent, pid) => {
        const client = agent.connect();
        expect(await client.ask(CHECKIN)).toMatchObject({ status: 200 });
        moveHome(pid);
        expect(await client.ask(CHECKIN)).toMatchObject(REJECTED);
        expect(await agent.ask(CHECKIN)).toMatchObject(REJECTED);
        client.destroy();
      });
    });

    test("a restarted container keeps its name and gets a new token; the old token is invalid", async () => {
      const { id, agent } = await bench.startAgent(daemon, "restarted");
      const before = await agent.checkIn();
      bench.engine.docker(["restart", "-t", "0", id]);
      const again = await bench.enter(id, "restarted-again");
      expect((await again.check(before.session_token, { action_type: "tool_exec", target: "x" })).status).toBe(401);
      const after = await again.checkIn();
      expect(after.container_id).toBe(before.container_id);
      expect(after.session_token).not.toBe(before.session_token);
      const statuses = [before, after].map(async ({ session_token }) =>
        (await again.check(session_token, { action_type: "tool_exec", target: "x" })).status
      );
      expect(await Promise.all(statuses)).toEqual([401, 200]);
      bench.engine.removeContainer(id);
    });

    test("the session of a container ends with it", async () => {
      const before = await sessions();
      const { id, agent } = await bench.startAgent(daemon, "short-lived");
      await agent.checkIn();
      expect(await sessions()).toBe(before + 1);
      bench.engine.removeContainer(id);
      while (await sessions() > before) await new Promise((resolve) => setImmediate(resolve));
    });

    test("auto takes the engine that answers, and says so", async () => {
      const auto = await bench.startDaemon(RULES, ["--containers", "auto"]);
      const { agent, id } = await bench.startAgent(auto, "of-auto");
      expect((await agent.checkIn()).container_id).toBe(`ctr-${id.slice(0, 12)}`);
      const { body } = await callSocket(auto.files.hostSocket, "GET", "/api/v1/status");
      expect(body).toMatchObject({ data: { containers: { source: "docker", state: "ready" } } });
    });

    test("a required label must be the container's own, not its image's, and have its value", async () => {
      const labelled = await bench.startDaemon(RULES, ["--require-label", "team=a"]);
      bench.engine.docker(["tag", BASE_IMAGE, "outcall-test/plain:1"]);
      const dockerfile = 'FROM outcall-test/plain:1\nLABEL team="a"\n';
      bench.engine.docker(["build", "-t", "outcall-test/of-team:1", "-"], Buffer.from(dockerfile));
      const plans: readonly (readonly [status: number, plan: ContainerPlan])[] = [
        [200, { labels: { team: "a" } }],
        [403, { labels: { team: "b" } }],
        [403, { labels: { teams: "a" } }],
        [403, { image: "outcall-test/of-team:1" }],
        [403, {}],
      ];
      for (const [index, [status, plan]] of plans.entries()) {
        const { agent, id } = await bench.startAgent(labelled, `of-team-${index}`, plan);
        expect(await agent.ask(CHECKIN)).toMatchObject(status === 200 ? { status } : REJECTED);
        bench.engine.removeContainer(id);
      }
    });

    test("the owner of a rootless engine's cgroups is trusted where the operator names that user, and no other", async () => {
      const rootless = await bench.startDaemon(RULES, ["--containers", "cgroup", "--cgroup-owner", `${ORDINARY_UID}`]);
      const path = (letter: string) => `outcall-named-${process.pid}/${letter.repeat(64)}`;
      const answer = await fromCgroup(path("a"), rootless, ORDINARY_UID);
      expect(JSON.parse(answer.body)).toMatchObject({ data: { container_id: `ctr-${"a".repeat(12)}` } });
      expect(await fromCgroup(path("b"), rootless, ORDINARY_UID - 1)).toMatchObject(REJECTED);
    });

    const reaching: readonly (readonly [note: string, args: readonly string[]])[] = [
      ["as it comes", []],
      ["with the host's pid namespace", ["--pid=host", "--userns=host"]],
      [
        "with all namespaces of the host that it can have",
        ["--pid=host", "--userns=host", "--net=host", "--ipc=host", "--uts=host", "--cgroupns=host"],
      ],
    ];
    test.each(reaching)("a container %s is refused at the host socket that was mounted into it", async (note, args) => {
      chmodSync(dirname(daemon.files.hostSocket), 0o755);
      chmodSync(daemon.files.hostSocket, 0o666);
      const name = `reaches-${reaching.findIndex(([each]) => each === note)}`;
      const id = bench.startContainer(daemon, { mounts: [`${dirname(daemon.files.hostSocket)}:/run/outcalld`], args });
      const agent = await bench.enter(id, name, "/run/outcalld/host.sock");
      for (const path of ["/api/v1/rules", "/api/v1/status", "/api/v1/health", "/nothing"]) {
        expect(await agent.ask({ method: "GET", path })).toMatchObject(FORBIDDEN);
      }
      expect(await agent.ask({ path: "/api/v1/rule/evaluate", body: { context: {} } })).toMatchObject(FORBIDDEN);
      bench.engine.removeContainer(id);
    });
  });
});
