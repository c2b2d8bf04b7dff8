// Identification of peers with a real engine and real containers, in each engine mode: the same expectations for the
// sources `docker` and `cgroup`, and cases that only one of them can identify.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { CHECKIN_REJECTED } from "../../src/peer/rejection.ts";
import { BUN, CLIENT, requirement, ROOT, startServer, Talker } from "../support/container/container.ts";
import { cgroupBelow, hostCgroup, moveHome, type TestCgroup } from "../support/container/cgroup.ts";
import { ORDINARY_UID } from "../support/host/namespace.ts";
import {
  BASE_IMAGE,
  type ContainerPlan,
  type DockerEngine,
  ENGINE_MODES,
  missingEngine,
  startEngine,
} from "../support/host/docker.ts";

const REFUSED = { code: "container.unknown", message: CHECKIN_REJECTED };
const ENGINE_TIMEOUT_MS = 60_000;

describe.each(ENGINE_MODES)("identity by docker, %s", (mode, variant) => {
  const needs = requirement(`engine ${mode}`, missingEngine());
  describe.skipIf(needs.skip)(needs.label, () => {
    let engine: DockerEngine;
    let agentDir = "";
    let docker: Talker;
    let cgroup: Talker;
    const started: Talker[] = [];
    const containers: string[] = [];
    const cgroups: TestCgroup[] = [];

    function keep(talker: Talker): Talker {
      started.push(talker);
      return talker;
    }

    // Starts a container in which the client can run: it has the tests' bun with its libraries.
    function start(plan: ContainerPlan = {}): string {
      const mounts = [
        `${agentDir}:/run/outcall`,
        "/lib:/lib",
        "/lib64:/lib64",
        `${realpathSync(BUN)}:/bin/bun`,
        `${ROOT}:/repo`,
      ];
      const id = engine.startContainer({ ...plan, mounts: [...mounts, ...(plan.mounts ?? [])] });
      containers.push(id);
      return id;
    }

    function client(id: string, mode = "ask", socket = "docker.sock"): Talker {
      return keep(engine.exec(id, inside(mode, socket)));
    }

    function inside(mode: string, socket: string): readonly string[] {
      return ["/bin/bun", CLIENT.replace(ROOT, "/repo"), mode, `/run/outcall/${socket}`];
    }

    function onHost(socket = "docker.sock"): Talker {
      return keep(new Talker([BUN, CLIENT, "ask", join(agentDir, socket)]));
    }

    function keepCgroup(cgroup: TestCgroup): TestCgroup {
      cgroups.push(cgroup);
      return cgroup;
    }

    beforeAll(async () => {
      engine = startEngine(variant);
      agentDir = join(engine.dir, "agent");
      mkdirSync(agentDir, { mode: 0o755 });
      docker = await startServer(join(agentDir, "docker.sock"), {
        containers: "auto",
        dockerSocket: engine.socketPath,
      });
      cgroup = await startServer(join(agentDir, "cgroup.sock"), { containers: "cgroup" });
    }, ENGINE_TIMEOUT_MS);

    afterEach(async () => {
      for (const talker of started.splice(0)) await talker.stop();
      for (const id of containers.splice(0)) engine.removeContainer(id);
      for (const made of cgroups.splice(0)) made.remove();
    }, ENGINE_TIMEOUT_MS);

    afterAll(async () => {
      await docker?.stop();
      await cgroup?.stop();
      engine?.stop();
    }, ENGINE_TIMEOUT_MS);

    test("docker gives id, name, image and labels", async () => {
      const id = start({ name: "agent-one", labels: { team: "a" } });
      const answer = await client(id).ask();
      expect(answer.value).toMatchObject({
        id,
        shortId: `ctr-${id.slice(0, 12)}`,
        name: "agent-one",
        image: "outcall-test/base:1",
        labels: { team: "a" },
        ownLabels: { team: "a" },
        source: "docker",
      });
      expect(answer.value?.instance).toMatch(new RegExp(`^${id}:\\d+$`));
      expect(answer.status).toMatchObject({ kind: "docker", ready: true });
    });

    test("cgroup gives only the id, and the same instance", async () => {
      const id = start({ labels: { team: "a" } });
      const shortId = `ctr-${id.slice(0, 12)}`;
      const answer = await client(id, "ask", "cgroup.sock").ask();
      expect(answer.value).toMatchObject({ id, shortId, name: shortId, image: "", labels: {}, source: "cgroup" });
      expect(answer.value?.instance).toBe((await client(id).ask()).value?.instance ?? "");
    });

    test("a label that the image carries with the same value is not the container's own", async () => {
      engine.docker(["tag", BASE_IMAGE, "outcall-test/plain:1"]);
      const dockerfile = 'FROM outcall-test/plain:1\nLABEL team="a" kind="x"\n';
      engine.docker(["build", "-t", "outcall-test/labelled:1", "-"], Buffer.from(dockerfile));
      const id = start({ image: "outcall-test/labelled:1", labels: { kind: "y", more: "z" } });
      const answer = await client(id).ask();
      expect(answer.value?.labels).toEqual({ team: "a", kind: "y", more: "z" });
      expect(answer.value?.ownLabels).toEqual({ kind: "y", more: "z" });
    });

    test("a container with the host's pid namespace is known all the same", async () => {
      const id = start({ args: ["--pid=host", "--userns=host"] });
      expect(await client(id).ask()).toMatchObject({ ok: true, value: { id } });
    });

    test.each(["docker.sock", "cgroup.sock"])("a host process is refused at %s", async (socket) => {
      start();
      const answer = await onHost(socket).ask();
      expect(answer.error).toMatchObject(REFUSED);
    });

    test.each(["docker.sock", "cgroup.sock"])("a restarted container has a new life at %s", async (socket) => {
      const id = start();
      const before = await client(id, "ask", socket).ask();
      engine.docker(["restart", "-t", "0", id]);
      const after = await client(id, "ask", socket).ask();
      expect(after.value?.id).toBe(id);
      expect(after.value?.instance).not.toBe(before.value?.instance ?? "");
    });

    test("a container that stops is told once by each source", async () => {
      const id = start();
      await client(id).ask();
      await client(id, "ask", "cgroup.sock").ask();
      engine.docker(["kill", id]);
      expect(await hearGone(docker, id)).toBe(`gone ${id}`);
      expect(await hearGone(cgroup, id)).toBe(`gone ${id}`);
    });

    test.each(["docker.sock", "cgroup.sock"])(
      "a connection whose connector has exited is refused at %s",
      async (socket) => {
        const id = start();
        const command = `${inside("hand-down", socket).join(" ")}; echo exited; exec sleep 1000`;
        const connector = keep(engine.exec(id, ["sh", "-c", command]));
        expect(await connector.hear()).toBe("exited");
        const answer = await connector.ask();
        // Refused at accept if the connecting process had already ended, otherwise at the request; never identified.
        expect(answer.ok).toBe(false);
        expect(answer.alive ?? false).toBe(false);
        expect(answer.error).toMatchObject(REFUSED);
      },
    );

    test.each(["docker.sock", "cgroup.sock"])(
      "a process that was moved out of its container is refused at %s",
      async (socket) => {
        const id = start();
        const peer = client(id, "ask", socket);
        const before = await peer.ask();
        expect(before.value?.id).toBe(id);
        moveHome(before.pid ?? 0);
        expect((await peer.ask()).error).toMatchObject(REFUSED);
      },
    );

    test.each(["docker.sock", "cgroup.sock"])(
      "a cgroup below, named like another container, is not that at %s",
      async (socket) => {
        const id = start();
        const other = start();
        const peer = client(id, "ask", socket);
        const before = await peer.ask();
        cgroupBelow(before.pid ?? 0, other).hold(before.pid ?? 0);
        expect((await peer.ask()).value).toEqual(before.value);
      },
    );

    test("a cgroup of another place, named like a running container, is none for docker", async () => {
      const id = start();
      const host = onHost();
      keepCgroup(hostCgroup(`outcall-named-${process.pid}/${id}`)).hold(host.process.pid ?? 0);
      const answer = await host.ask();
      expect(answer.error).toMatchObject(REFUSED);
      expect(answer.error?.cause).toMatchObject({ detail: "process is not in the container's cgroup" });
    });

    test("a cgroup named like a container that does not exist is none for docker", async () => {
      const host = onHost();
      keepCgroup(hostCgroup(`outcall-named-${process.pid}/docker-${"e".repeat(64)}.scope`)).hold(host.process.pid ?? 0);
      const answer = await host.ask();
      expect(answer.error).toMatchObject(REFUSED);
      expect(answer.error?.cause).toMatchObject({ detail: "engine has no such container" });
    });

    test("a cgroup that an ordinary user may change is none for cgroup", async () => {
      const host = onHost("cgroup.sock");
      const cgroup = keepCgroup(hostCgroup(`outcall-named-${process.pid}/${"e".repeat(64)}`));
      cgroup.hold(host.process.pid ?? 0);
      expect((await host.ask()).value?.id).toBe("e".repeat(64));
      cgroup.giveTo(ORDINARY_UID);
      const again = onHost("cgroup.sock");
      cgroup.hold(again.process.pid ?? 0);
      expect((await again.ask()).error).toMatchObject(REFUSED);
    });

    test("auto takes cgroups when no engine answers and there are containers to be seen", async () => {
      start();
      const socketPath = join(agentDir, "auto.sock");
      keep(await startServer(socketPath, { containers: "auto", dockerSocket: join(agentDir, "nobody.sock") }));
      expect((await onHost("auto.sock").ask()).status?.kind).toBe("cgroup");
    });
  });
});

async function hearGone(server: Talker, id: string): Promise<string> {
  for (let line = await server.hear(); line !== undefined; line = await server.hear()) {
    if (line.includes(id)) return line;
  }
  return "ended";
}
