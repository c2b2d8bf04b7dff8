// The bridge as a precondition, with a real bridge device in a network namespace of the daemon's own (rule-engine.md 9).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { AgentContainer } from "../support/agent-container.ts";
import { ALLOWED } from "../support/agent-refusals.ts";
import { missingProgram, missingRoot, requirement } from "../support/container.ts";
import { type Daemon, startDaemon } from "../support/daemon.ts";
import { askOnce, type RawResponse } from "../support/raw-http.ts";

const RULES = {
  "00-test.yaml": `version: "1"\nrules:\n  - {id: echo, condition: 'run.path == "/bin/echo"', action: allow}\n`,
};
// What /sys shows belongs to the namespace in which it was mounted.
const OWN_NETWORK = ["unshare", "-n", "-m", "sh", "-c", 'mount -t sysfs sysfs /sys && exec "$@"', "sh"];
const UNAVAILABLE = JSON.stringify({
  success: false,
  error: "rule evaluation unavailable: bridge is not up",
});

const { label, skip } = requirement("the bridge", missingRoot(), missingProgram("ip"), missingProgram("unshare"));

describe.skipIf(skip)(label, () => {
  let daemon: Daemon;
  let container: AgentContainer;
  let token = "";

  beforeAll(async () => {
    daemon = await startDaemon({ rules: RULES, flags: ["--containers", "namespace"], before: OWN_NETWORK });
    container = await AgentContainer.start(daemon.files.dir, "container", daemon.files.agentSocket);
    token = (await container.checkIn()).session_token;
  });
  afterAll(async () => {
    await container?.stop();
    await daemon?.dispose();
  });

  function ip(...args: readonly string[]): void {
    const done = spawnSync("nsenter", ["-t", String(daemon.process.pid), "-n", "ip", ...args], { encoding: "utf8" });
    expect({ status: done.status, stderr: done.stderr }).toEqual({ status: 0, stderr: "" });
  }

  const evaluate = () =>
    askOnce(daemon.files.hostSocket, {
      path: "/api/v1/rule/evaluate",
      body: { context: { run: { tool: "/bin/echo" } } },
    });
  const health = async () =>
    JSON.parse((await askOnce(daemon.files.hostSocket, { method: "GET", path: "/api/v1/health" })).body).data;

  // The state is measured at most every quarter of a second, so it is asked for until it changes; the test's own time limit ends it.
  async function untilHealth(ready: boolean, reason: string | null): Promise<void> {
    for (let now = await health(); now.ready !== ready || now.reason !== reason; now = await health());
  }

  async function expectUnavailable(): Promise<void> {
    const answers: readonly RawResponse[] = [await evaluate(), await container.check(token, ALLOWED)];
    for (const answer of answers) expect(answer).toMatchObject({ status: 503, body: UNAVAILABLE });
  }

  test("missing: the daemon serves and says so, and every evaluation is 503, never a decision", async () => {
    await daemon.record({ event: "bridge.down", bridge: "outcall0", level: "warning" });
    await untilHealth(false, "bridge is missing");
    await expectUnavailable();
    await daemon.record({ event: "agent.check.refused", code: "daemon.bridge-down", level: "warning" });
  });

  test("a device of that name that is no bridge counts as missing", async () => {
    ip("link", "add", "outcall0", "type", "veth", "peer", "name", "other");
    ip("link", "set", "outcall0", "up");
    await untilHealth(false, "bridge is missing");
    await expectUnavailable();
    ip("link", "del", "outcall0");
  });

  test("there and down: 503", async () => {
    ip("link", "add", "outcall0", "type", "bridge");
    await untilHealth(false, "bridge is down");
    await expectUnavailable();
  });

  test("up: decisions", async () => {
    ip("link", "set", "outcall0", "up");
    await untilHealth(true, null);
    expect(await container.check(token, ALLOWED)).toMatchObject({ status: 200 });
    expect((await evaluate()).status).toBe(200);
  });

  test("down again: 503 again", async () => {
    ip("link", "set", "outcall0", "down");
    await untilHealth(false, "bridge is down");
    await expectUnavailable();
  });

  test("what is refused for the bridge comes after everything that is wrong with the request", async () => {
    const asked = { path: "/v1/permissions/check", body: ALLOWED };
    expect((await container.ask(asked)).status).toBe(401);
    expect((await container.check(token, { ...ALLOWED, action_type: "fly" })).status).toBe(422);
  });
});
