// One request from end to end in real containers: identity, allow, deny, and a stopped daemon.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { deniedWith } from "../support/agent/denied.ts";
import { BUN, requirement } from "../support/container/container.ts";
import { callSocket, type Daemon, startDaemon } from "../support/program/daemon.ts";
import { type DockerEngine, missingEngine, startEngine } from "../support/host/docker.ts";
import { librariesOf } from "../support/host/images.ts";
import { program } from "../support/program/programs.ts";
import { connectionWaits } from "../support/socket/waiting-connection.ts";

// Starting a real engine takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

const RULES = {
  "00-test.yaml": `version: "1"
rules:
  - {id: secret-rule-name, condition: 'run.path == "/bin/touch" && "/tmp/denied" in run.args', action: block, reason: not that file}
  - {id: touch, condition: 'run.path == "/bin/touch"', action: allow}
  - {id: echo, condition: 'run.path == "/bin/echo"', action: allow}
`,
};

const { label, skip } = requirement("an agent in a real container", missingEngine());

describe.skipIf(skip)(label, () => {
  let engine: DockerEngine;
  let daemon: Daemon;
  const containers: string[] = [];

  beforeAll(async () => {
    engine = startEngine();
    const flags = engine.daemonFlags;
    daemon = await startDaemon({ rules: RULES, flags, before: engine.hostArgv([]) });
    for (const name of ["first", "second"]) containers.push(startContainer(name, dirname(daemon.files.agentSocket)));
  });
  afterAll(async () => {
    await daemon?.dispose();
    engine?.stop();
  });

  function startContainer(name: string, socketDir: string): string {
    const [shim = ""] = program("outcall-agent");
    return engine.startContainer({
      name,
      mounts: [`${socketDir}:/run/outcall`, ...[BUN, ...librariesOf(BUN)].map((path) => `${path}:${path}`)],
      files: [[shim, "/bin/outcall-agent"]],
    });
  }

  function shim(container: number, ...args: readonly string[]) {
    const [command = "", ...rest] = engine.dockerArgv(["exec", containers[container] ?? "", "outcall-agent", ...args]);
    return spawnSync(command, rest, { encoding: "utf8" });
  }

  function inContainer(container: number, ...argv: readonly string[]) {
    const [command = "", ...rest] = engine.dockerArgv(["exec", containers[container] ?? "", ...argv]);
    return spawnSync(command, rest, { encoding: "utf8" });
  }

  test("check-in gives the container's identity", async () => {
    const done = shim(0, "checkin");
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(done.stdout).toContain(`ctr-${containers[0]?.slice(0, 12)}`);
    await daemon.record({ event: "agent.checkin", container: containers[0], name: "first" });
  });

  test("a process on the host, outside any container, gets 403", async () => {
    const answer = await callSocket(daemon.files.agentSocket, "POST", "/v1/checkin", {});
    const error = "check-in rejected: peer does not belong to a known container";
    expect(answer).toMatchObject({ status: 403, body: { success: false, error, code: "container.unknown" } });
  });

  // An agent that does not use the shim.
  function rawCall(container: number, path: string, body: unknown) {
    const call = `const a = await fetch("http://x${path}", {unix: "/run/outcall/agent.sock", method: "POST", ` +
      `headers: {"content-type": "application/json"}, body: ${JSON.stringify(JSON.stringify(body))}}); ` +
      `console.log(JSON.stringify({status: a.status, body: await a.json()}))`;
    const [command = "", ...rest] = engine.dockerArgv(["exec", containers[container] ?? "", BUN, "-e", call]);
    const done = spawnSync(command, rest, { encoding: "utf8" });
    expect(done).toMatchObject({ status: 0, stderr: "" });
    return JSON.parse(done.stdout);
  }

  test("a second container has a session of its own, and the first one's token is not valid there", async () => {
    const [first, second] = [0, 1].map((container) => rawCall(container, "/v1/checkin", {}).body.data);
    expect(first.container_id).toBe(`ctr-${containers[0]?.slice(0, 12)}`);
    expect(second.container_id).toBe(`ctr-${containers[1]?.slice(0, 12)}`);
    expect(first.session_token).not.toBe(second.session_token);
    expect(rawCall(0, "/v1/checkin", {}).body.data).toEqual(first);
    const asked = { action_type: "tool_exec", target: "/bin/echo" };
    const own = rawCall(1, "/v1/permissions/check", { ...asked, session_token: second.session_token });
    expect(own).toMatchObject({ status: 200, body: { success: true, data: { allowed: true } } });
    const stolen = rawCall(1, "/v1/permissions/check", { ...asked, session_token: first.session_token });
    expect(stolen).toEqual({
      status: 401,
      body: { success: false, error: "invalid or missing session token", code: "session.bad-token" },
    });
    await daemon.record({ event: "agent.token-misuse", container: containers[1] });
  });

  test("allowed: the program really runs, with its arguments and exit status", () => {
    expect(shim(0, "exec", "--", "echo", "a b", "", "--c")).toMatchObject({
      status: 0,
      stdout: "a b  --c\n",
      stderr: "",
    });
    expect(shim(0, "exec", "touch", "/nowhere/x").status).toBe(1);
  });

  test("denied: exit 126, one line with the operator's reason, and nothing run", () => {
    const done = shim(0, "exec", "--", "touch", "/tmp/denied");
    expect(done).toMatchObject({ status: 126, stdout: "", stderr: deniedWith("not that file") });
    expect(inContainer(0, "ls", "/tmp/denied").status).not.toBe(0);
  });

  test("denied by default: the reason names the agent's own words and no rule", () => {
    const done = shim(0, "check", "--type", "network_call", "--target", "https://evil.example/");
    expect(done.status).toBe(1);
    expect(done.stdout + done.stderr).toContain("no rule allows network_call to https://evil.example/");
    expect(done.stdout + done.stderr).not.toContain("secret-rule-name");
  });

  test("daemon killed while a request is in flight: exit 5, nothing run", async () => {
    const other = await startDaemon({
      rules: RULES,
      flags: engine.daemonFlags,
      before: engine.hostArgv([]),
    });
    const container = startContainer("third", dirname(other.files.agentSocket));
    other.process.kill("SIGSTOP");
    const [command = "", ...rest] = engine.dockerArgv([
      "exec",
      container,
      "outcall-agent",
      "exec",
      "touch",
      "/tmp/ran",
    ]);
    const asking = spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"] });
    const exited = once(asking, "exit");
    await connectionWaits(engine, other.files.agentSocket);
    await other.end("SIGKILL");
    expect((await exited)[0]).toBe(5);
    expect(spawnSync("docker", ["-H", `unix://${engine.socketPath}`, "exec", container, "ls", "/tmp/ran"]).status).not
      .toBe(0);
    await other.dispose();
  });

  test("daemon stopped: the sockets are gone, the shim exits 5 and the program never runs", async () => {
    expect(await daemon.end("SIGTERM")).toBe(0);
    expect([daemon.files.agentSocket, daemon.files.hostSocket].map((path) => existsSync(path))).toEqual([false, false]);
    const done = shim(0, "exec", "touch", "/tmp/stopped");
    expect(done).toMatchObject({ status: 5, stdout: "" });
    expect(done.stderr).toBe(
      "outcall-agent: agent socket not found at /run/outcall/agent.sock -- is outcalld running?\n",
    );
    expect(inContainer(0, "ls", "/tmp/stopped").status).not.toBe(0);
  });
});
