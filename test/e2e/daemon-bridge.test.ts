// The bridge as a precondition, with a real bridge device in the daemon's own network namespace: with and without the
// capability to create it.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { AgentContainer } from "../support/agent/container.ts";
import { ALLOWED } from "../support/agent/refusals.ts";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { callSocket, type Daemon, startDaemon } from "../support/program/daemon.ts";
import { unshareArgv } from "../support/host/namespace.ts";
import { program } from "../support/program/programs.ts";
import { askOnce, type RawResponse } from "../support/socket/raw-http.ts";
import { type Ended, runProgram } from "../support/program/run-program.ts";

setDefaultTimeout(120_000);

const RULES = {
  "00-test.yaml": `version: "1"\nrules:\n  - {id: echo, condition: 'run.path == "/bin/echo"', action: allow}\n`,
};
const OWN_NETWORK = ["unshare", "-n"];
const NO_RIGHT = ["setpriv", "--bounding-set", "-net_admin", "--inh-caps", "-net_admin"];
const FLAGS = ["--containers", "namespace"];
const UNAVAILABLE = JSON.stringify({
  success: false,
  error: "rule evaluation unavailable: bridge is not up",
  code: "daemon.bridge-down",
});

const needs = [missingRoot(), missingProgram("ip"), missingProgram("unshare"), missingProgram("setpriv")] as const;

/** Changes devices in the daemon's network namespace. */
function ip(daemon: Daemon, ...args: readonly string[]): void {
  const done = spawnSync("nsenter", ["-t", String(daemon.process.pid), "-n", "ip", ...args], { encoding: "utf8" });
  expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: "" });
}

function outcall(daemon: Daemon, ...args: readonly string[]): Promise<Ended> {
  return runProgram([...program("outcall"), "--socket", daemon.files.hostSocket, ...args]);
}

const health = async (daemon: Daemon) =>
  JSON.parse((await askOnce(daemon.files.hostSocket, { method: "GET", path: "/api/v1/health" })).body).data;

// The state is measured at most every 250 ms, so this polls until it changes; the test's timeout ends it.
async function untilHealth(daemon: Daemon, ready: boolean, reason: string | null): Promise<void> {
  for (let now = await health(daemon); now.ready !== ready || now.reason !== reason; now = await health(daemon));
}

const { label, skip } = requirement("a bridge that the daemon may not make", ...needs);

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  let container: AgentContainer;
  let token = "";

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: FLAGS, before: [...OWN_NETWORK, ...NO_RIGHT] });
    container = await AgentContainer.start(daemon.files.dir, "container", daemon.files.agentSocket);
    token = (await container.checkIn()).session_token;
  });
  afterAll(async () => {
    await container?.stop();
    await daemon?.dispose();
  });

  const evaluate = () =>
    askOnce(daemon.files.hostSocket, {
      path: "/api/v1/rule/evaluate",
      body: { context: { run: { tool: "/bin/echo" } } },
    });

  async function expectUnavailable(): Promise<void> {
    const answers: readonly RawResponse[] = [await evaluate(), await container.check(token, ALLOWED)];
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: UNAVAILABLE });
  }

  test("missing: the daemon serves and says so, and every evaluation is 503, never a decision", async () => {
    await daemon.record({
      event: "bridge.not-made",
      level: "warning",
      reason: 'cannot create bridge "outcall0": operation not permitted',
    });
    await daemon.record({ event: "bridge.down", bridge: "outcall0", level: "warning" });
    await untilHealth(daemon, false, "bridge is missing");
    await expectUnavailable();
    await daemon.record({ event: "agent.check.refused", code: "daemon.bridge-down", level: "warning" });
  });

  test("bridge.refused: the operator learns that the daemon lacks the permission (503, exit 1)", async () => {
    const error = 'cannot create bridge "outcall0": operation not permitted';
    expect(await callSocket(daemon.files.hostSocket, "POST", "/api/v1/bridge/up")).toMatchObject({
      status: 503,
      body: { success: false, error, code: "bridge.refused" },
    });
    expect(await outcall(daemon, "bridge", "up")).toMatchObject({ code: 1, stdout: "", stderr: `Error: ${error}\n` });
  });

  test("bridge.conflict: a device of that name that is not a bridge counts as missing and is not changed (409)", async () => {
    ip(daemon, "link", "add", "outcall0", "type", "veth", "peer", "name", "other");
    ip(daemon, "link", "set", "outcall0", "up");
    await untilHealth(daemon, false, "bridge is missing");
    await expectUnavailable();
    for (const to of ["up", "down"]) {
      expect(await callSocket(daemon.files.hostSocket, "POST", `/api/v1/bridge/${to}`)).toMatchObject({
        status: 409,
        body: { success: false, error: 'device "outcall0" is not a bridge', code: "bridge.conflict" },
      });
    }
    ip(daemon, "link", "del", "outcall0");
  });

  test("there and down: 503", async () => {
    ip(daemon, "link", "add", "outcall0", "type", "bridge");
    await untilHealth(daemon, false, "bridge is down");
    await expectUnavailable();
  });

  test("up: decisions", async () => {
    ip(daemon, "link", "set", "outcall0", "up");
    await untilHealth(daemon, true, null);
    expect(await container.check(token, ALLOWED)).toMatchObject({ status: 200 });
    expect((await evaluate()).status).toBe(200);
  });

  test("down again: 503 again", async () => {
    ip(daemon, "link", "set", "outcall0", "down");
    await untilHealth(daemon, false, "bridge is down");
    await expectUnavailable();
  });

  test("the shim exits 5, and says why", async () => {
    const argv = [
      ...program("outcall-agent"),
      "--agent-socket",
      daemon.files.agentSocket,
      "exec",
      "--",
      "/bin/echo",
      "said",
    ];
    const { code, stdout, stderr } = await runProgram(unshareArgv(argv));
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toContain("bridge is not up");
  });

  test("container list needs no bridge: the containers that checked in, with the time", async () => {
    const { code, stdout } = await outcall(daemon, "container", "list");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ID +NAME +IMAGE +SINCE\n(ns-\d+-\d+ +ctr-[0-9a-f]{12} +- +\d{4}-\d\d-\d\dT\S+Z\n)+$/);
  });

  test("what is refused for the bridge comes after everything that is wrong with the request", async () => {
    const asked = { path: "/v1/permissions/check", body: ALLOWED };
    expect((await container.ask(asked)).status).toBe(401);
    expect((await container.check(token, { ...ALLOWED, action_type: "fly" })).status).toBe(422);
  });
});

const allowed = requirement("a bridge that the daemon makes", ...needs);

describe.skipIf(allowed.skip)(allowed.label, () => {
  const started: Daemon[] = [];
  afterEach(async () => {
    for (const daemon of started.splice(0)) await daemon.dispose();
  });

  async function start(before: readonly string[], flags: readonly string[] = [], rules = RULES): Promise<Daemon> {
    const daemon = await startDaemon({ rules, flags: [...FLAGS, ...flags], before });
    started.push(daemon);
    return daemon;
  }

  /** Runs a script in the network namespace before the daemon starts there. */
  const prepared = (script: string) => [...OWN_NETWORK, "sh", "-c", `${script} && exec "$@"`, "sh"];

  const decides = async (daemon: Daemon) =>
    (await callSocket(daemon.files.hostSocket, "POST", "/api/v1/rule/evaluate", { context: {} })).status;

  test("made at the start and up: decisions, and status shows it", async () => {
    const daemon = await start(OWN_NETWORK, ["--bridge", "br-of.a-test_1"]);
    await daemon.record({ event: "bridge.made", bridge: "br-of.a-test_1" });
    expect(await decides(daemon)).toBe(200);
    expect((await outcall(daemon, "status")).stdout).toMatch(/^Bridge: +br-of\.a-test_1, up$/m);
    ip(daemon, "link", "show", "br-of.a-test_1", "type", "bridge", "up");
  });

  test("one that exists is attached to: up stays up", async () => {
    const daemon = await start(prepared("ip link add outcall0 type bridge && ip link set outcall0 up"));
    expect(await decides(daemon)).toBe(200);
    expect(daemon.records.filter(({ event }) => String(event).startsWith("bridge."))).toEqual([]);
  });

  test("one that was taken down stays down until it is brought up", async () => {
    const daemon = await start(prepared("ip link add outcall0 type bridge"));
    await daemon.record({ event: "bridge.down", bridge: "outcall0" });
    expect(await decides(daemon)).toBe(503);
    expect(await outcall(daemon, "bridge", "up")).toMatchObject({ code: 0, stdout: 'Bridge "outcall0" is up.\n' });
    expect(await decides(daemon)).toBe(200);
  });

  test("a device of its name that is not a bridge is not changed, with a warning", async () => {
    const daemon = await start(prepared("ip link add outcall0 type veth peer name other"));
    await daemon.record({ event: "bridge.not-made", reason: 'device "outcall0" is not a bridge' });
    expect(await decides(daemon)).toBe(503);
  });

  test("up, down and status, again and again, at once in force", async () => {
    const daemon = await start(OWN_NETWORK);
    const steps = [["down", "down"], ["down", "down"], ["up", "up"], ["up", "up"], ["status", "up"]] as const;
    for (const [word, state] of steps) {
      expect(await outcall(daemon, "bridge", word)).toMatchObject({
        code: 0,
        stdout: `Bridge "outcall0" is ${state}.\n`,
        stderr: "",
      });
      expect(await decides(daemon)).toBe(state === "up" ? 200 : 503);
    }
    ip(daemon, "link", "del", "outcall0");
    for (const word of ["down", "status"]) {
      await untilHealth(daemon, false, "bridge is missing");
      expect((await outcall(daemon, "bridge", word)).stdout).toBe('Bridge "outcall0" is missing.\n');
    }
    expect((await outcall(daemon, "bridge", "up", "--json")).stdout).toBe(
      '{"version":1,"bridge":{"name":"outcall0","state":"up"}}\n',
    );
    expect(await decides(daemon)).toBe(200);
  });

  test("S003-SC-012: the commands do not depend on rules: none, some, broken on reload", async () => {
    for (const rules of [{}, RULES, { "a.yaml": 'version: "1"\n' }]) {
      const daemon = await start(OWN_NETWORK, ["--no-watch"], { "00-test.yaml": 'version: "1"\n', ...rules });
      spawnSync("sh", ["-c", `echo 'x: [' > ${daemon.files.rulesDir}/broken.yaml`]);
      expect((await outcall(daemon, "rule", "reload")).code).toBe(1);
      expect((await outcall(daemon, "bridge", "down")).stdout).toBe('Bridge "outcall0" is down.\n');
      expect((await outcall(daemon, "bridge", "up")).stdout).toBe('Bridge "outcall0" is up.\n');
    }
  });

  test("it is not removed when the daemon ends", async () => {
    const script = `"$@" & wait $!; ip -o link show outcall0 type bridge up >&2`;
    const daemon = await start([...OWN_NETWORK, "sh", "-c", `trap 'kill -TERM $!; wait $!' TERM; ${script}`, "sh"]);
    await daemon.end("SIGTERM");
    expect(daemon.records.some(({ text }) => String(text).includes("outcall0"))).toBe(true);
  });

  test("--bridge none: nothing is made, and there is nothing to change", async () => {
    const daemon = await start(OWN_NETWORK, ["--bridge", "none"]);
    await daemon.record({ event: "bridge.none", level: "warning" });
    expect(await decides(daemon)).toBe(200);
    expect((await outcall(daemon, "bridge", "status")).stdout).toBe(
      "The daemon runs without a bridge (--bridge none).\n",
    );
    expect(await outcall(daemon, "bridge", "up")).toMatchObject({
      code: 1,
      stderr: "Error: the daemon runs without a bridge (--bridge none)\n",
    });
  });
});
