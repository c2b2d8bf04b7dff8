// Access to the built daemon's host socket, with permissive file modes. Allowed: processes of the host that run as root
// or as the daemon's user. Refused: processes in other namespaces, in a cgroup with a container's name, or of another
// user.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import { AgentContainer, RELAY } from "../support/agent/container.ts";
import { BUN, missingProgram, missingRoot, requirement, Talker } from "../support/container/container.ts";
import { hostCgroup, type TestCgroup } from "../support/container/cgroup.ts";
import { type Daemon, PLAIN_FLAGS, startDaemon } from "../support/program/daemon.ts";
import { asUser, unshareArgv } from "../support/host/namespace.ts";
import { program } from "../support/program/programs.ts";

setDefaultTimeout(120_000);

const RULES = { "10-a.yaml": 'version: "1"\nrules:\n  - {id: all, condition: \'target != ""\', action: allow}\n' };
const HEALTH = { method: "GET", path: "/api/v1/health" };
const FORBIDDEN = '{"success":false,"error":"peer may not use the host socket","code":"daemon.forbidden"}';
const NOBODY = 65_534;

const { label, skip } = requirement("the host socket's peers", missingRoot(), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  const speakers: AgentContainer[] = [];
  const cgroups: TestCgroup[] = [];

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
    const { dir, hostSocket } = daemon.files;
    chmodSync(dir, 0o777);
    chmodSync(dirname(hostSocket), 0o755);
    chmodSync(hostSocket, 0o666);
  });
  afterEach(async () => {
    for (const speaker of speakers.splice(0)) await speaker.stop();
    for (const made of cgroups.splice(0)) made.remove();
  });
  afterAll(() => daemon?.dispose());

  // A process that is started in this way speaks to the host socket.
  async function speak(name: string, run: (argv: readonly string[]) => readonly string[]): Promise<AgentContainer> {
    const socketPath = join(daemon.files.dir, `${name}.sock`);
    const relay = new Talker(run([BUN, RELAY, socketPath, daemon.files.hostSocket]));
    const speaker = await AgentContainer.over(socketPath, relay);
    speakers.push(speaker);
    return speaker;
  }

  test("root's processes of the host are let in", async () => {
    const speaker = await speak("root", (argv) => argv);
    expect(await speaker.ask(HEALTH)).toMatchObject({ status: 200 });
  });

  test("outcall says who has access, if it has none", () => {
    const [command = "", ...rest] = program("outcall");
    const argv = ["--socket", daemon.files.hostSocket, "status"];
    const [unshare = "", ...args] = unshareArgv([command, ...rest, ...argv]);
    const done = spawnSync(unshare, args, { encoding: "utf8" });
    expect({ status: done.status, stdout: done.stdout }).toEqual({ status: 1, stdout: "" });
    expect(done.stderr).toMatch(
      /^Error: peer may not use the host socket\nHint: only root, the daemon's user and the operators' group may use the host socket, /,
    );
  });

  const strangers: readonly (readonly [detail: string, run: (argv: readonly string[]) => readonly string[]])[] = [
    ["another pid namespace", (argv) => unshareArgv(argv)],
    ["another pid namespace", (argv) => unshareArgv(argv, { more: ["-U", "-r"] })],
    ["another user namespace", (argv) => ["unshare", "-U", "-r", ...argv]],
    ["neither root nor the daemon's user", (argv) => [...asUser(NOBODY), ...argv]],
    ["neither root nor the daemon's user", (argv) => unshareArgv(argv, { uid: NOBODY })],
  ];
  for (const [index, [detail, run]] of strangers.entries()) {
    test(`403, whatever is asked for: ${detail} (${index})`, async () => {
      const speaker = await speak(`stranger-${index}`, run);
      // Two of each kind, because the log gives details for only ten per minute.
      expect(await speaker.ask({ method: "GET", path: "/nothing" })).toMatchObject({ status: 403, body: FORBIDDEN });
      expect(await speaker.ask({ path: "/api/v1/rule/evaluate", body: "{" })).toMatchObject({ status: 403 });
      await daemon.record({ event: "host.request.refused", code: "daemon.forbidden", detail });
    });
  }

  const id = "c".repeat(64);
  const names = [id, `docker-${id}.scope`, `libpod-${id}.scope`, `cri-containerd-${id}.scope`, `${id}/below`];
  test.each(names)("403 from a cgroup that has a container's name, also on an open connection: %s", async (name) => {
    const speaker = await speak(`named-${names.indexOf(name)}`, (argv) => argv);
    const client = speaker.connect();
    expect(await client.ask(HEALTH)).toMatchObject({ status: 200 });
    const cgroup = hostCgroup(`outcall-host-${process.pid}/${name}`);
    cgroups.push(cgroup);
    cgroup.hold(speaker.process.process.pid ?? 0);
    expect(await client.ask(HEALTH)).toMatchObject({ status: 403, body: FORBIDDEN });
    client.destroy();
  });
});
