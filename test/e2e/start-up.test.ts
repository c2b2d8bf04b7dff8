// Start and stop of the built daemon: what it refuses, what it leaves, and the order of its steps (S004-FR-001 to
// FR-003).
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { missingRoot, requirement } from "../support/container/container.ts";
import {
  callSocket,
  Daemon,
  daemonArgv,
  type DaemonFiles,
  layOut,
  PLAIN_FLAGS,
  startDaemon,
} from "../support/program/daemon.ts";
import { callAsAgent } from "../support/agent/hostile-agent.ts";
import { program } from "../support/program/programs.ts";

setDefaultTimeout(120_000);

const RULES = { "a.yaml": 'version: "1"\nrules: [{id: r, condition: run.path == "/bin/ls", action: allow}]\n' };
const RULESPEC = `claims: [{name: tests, selector: tests}]
predicates: [{claim: tests, rule: exists, source: task_prompt}]
`;
const made: DaemonFiles[] = [];
afterAll(() => made.forEach(({ dir }) => rmSync(dir, { recursive: true, force: true })));

function laid(): DaemonFiles {
  const files = layOut(RULES);
  made.push(files);
  return files;
}

// Runs the daemon to its end. If it serves instead, it is stopped, and the test fails.
function refused(files: DaemonFiles, flags: readonly string[] = PLAIN_FLAGS) {
  const [command = "", ...args] = daemonArgv(files, flags);
  const done = spawnSync(command, args, { encoding: "utf8", timeout: 20_000 });
  return { status: done.status, stderr: done.stderr };
}

const { label, skip } = requirement("starting outcalld", missingRoot());

describe.skipIf(skip)(label, () => {
  test("a socket left over from a dead daemon is removed, a live daemon's is not", async () => {
    const first = await startDaemon({ rules: RULES, flags: PLAIN_FLAGS });
    made.push(first.files);
    const live = refused(first.files);
    expect(live).toMatchObject({ status: 1, stderr: expect.stringContaining("another daemon") });
    expect((await callSocket(first.files.hostSocket, "GET", "/api/v1/health")).status).toBe(200);
    await first.end("SIGKILL");
    expect(lstatSync(first.files.agentSocket).isSocket()).toBe(true);
    const [command = "", ...args] = daemonArgv(first.files, PLAIN_FLAGS);
    const second = new Daemon(first.files, spawn(command, args, { stdio: ["ignore", "inherit", "pipe"] }));
    await second.record({ event: "ready" });
    expect((await callSocket(first.files.hostSocket, "GET", "/api/v1/health")).status).toBe(200);
    expect(await second.end("SIGINT")).toBe(0);
    expect([first.files.hostSocket, first.files.agentSocket].map((path) => existsSync(path))).toEqual([false, false]);
  });

  test("daemon.socket-bind: a file that is not a socket is not changed", () => {
    const files = laid();
    writeFileSync(files.agentSocket, "precious");
    expect(refused(files)).toMatchObject({ status: 1, stderr: expect.stringContaining("not a socket") });
    expect(statSync(files.agentSocket).size).toBe("precious".length);
    expect(existsSync(files.hostSocket)).toBe(false);
  });

  test("daemon.socket-bind: a directory that others may write", () => {
    const files = laid();
    chmodSync(dirname(files.agentSocket), 0o777);
    expect(refused(files)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("may be written by group or others"),
    });
    expect(existsSync(files.hostSocket)).toBe(false);
  });

  test("daemon.configuration: a key that others may read", () => {
    const files = laid();
    const key = join(files.dir, "state", "rule-id.key");
    writeFileSync(key, Buffer.alloc(32), { mode: 0o644 });
    chmodSync(key, 0o644);
    expect(refused(files)).toMatchObject({ status: 1, stderr: expect.stringContaining("rule-id.key") });
  });

  test("container.no-source: an engine that does not answer", () => {
    const files = laid();
    const flags = ["--bridge", "none", "--containers", "docker", "--docker-socket", join(files.dir, "nothing.sock")];
    expect(refused(files, flags)).toMatchObject({ status: 1, stderr: expect.stringContaining("nothing.sock") });
  });

  test("rules that others may write", () => {
    const files = laid();
    chmodSync(join(files.rulesDir, "a.yaml"), 0o666);
    expect(refused(files)).toMatchObject({ status: 1, stderr: expect.stringContaining("[rule.file]") });
  });

  test.each([
    { note: "unknown flag", flags: ["--rules-dirr", "x"], says: "--rules-dir" },
    { note: "unknown source", flags: ["--containers", "dokcer"], says: "docker" },
    { note: "malformed duration", flags: ["--agent-timeout", "5"], says: "500ms" },
    { note: "relative socket", flags: ["--socket", "x.sock"], says: "absolute" },
    { note: "an argument", flags: ["now"], says: "now" },
  ])("usage, exit 2: $note", ({ flags, says }) => {
    const [command = "", ...rest] = program("outcalld");
    const done = spawnSync(command, [...rest, ...flags], { encoding: "utf8" });
    expect({ status: done.status, stdout: done.stdout }).toEqual({ status: 2, stdout: "" });
    expect(done.stderr).toContain(says);
  });

  test("a flag may be given as a variable, and wins over it", () => {
    const [command = "", ...rest] = program("outcalld");
    const run = (flags: readonly string[]) =>
      spawnSync(command, [...rest, "--check", ...flags], {
        encoding: "utf8",
        env: { ...process.env, OUTCALL_RULES_DIR: "/nonexistent-by-variable" },
      });
    expect(run([])).toMatchObject({ status: 1, stdout: expect.stringContaining("/nonexistent-by-variable") });
    const files = laid();
    expect(run(["--rules-dir", files.rulesDir])).toMatchObject({ status: 0, stderr: "" });
  });

  test("--check also checks the rulespecs for envelopes", () => {
    const files = laid();
    const sound = join(files.dir, "sound.yaml");
    const specs = join(files.dir, "specs");
    mkdirSync(specs);
    writeFileSync(sound, RULESPEC);
    writeFileSync(join(specs, "default.yaml"), RULESPEC.replace("exists", "exist"));
    const check = (flags: readonly string[]) => {
      const [command = "", ...rest] = daemonArgv(files, [...PLAIN_FLAGS, "--check", ...flags]);
      return spawnSync(command, rest, { encoding: "utf8" });
    };
    const ends = "1 file, 1 rule, 0 findings\n";
    expect(check([])).toMatchObject({ status: 0, stdout: ends, stderr: "" });
    expect(check(["--rulespec", sound])).toMatchObject({ status: 0, stdout: `${ends}1 rulespec, 0 findings\n` });
    const broken = check(["--rulespec-dir", specs]);
    expect(broken.status).toBe(1);
    for (const part of [`${specs}/default.yaml:`, "1 rulespec, 1 finding\n"]) expect(broken.stdout).toContain(part);
    const missing = check(["--rulespec-dir", join(files.dir, "nowhere")]);
    expect(missing).toMatchObject({ status: 1, stdout: expect.stringContaining("error[rulespec.file]") });
  });

  test("an empty directory starts, warns, and blocks everything", async () => {
    const files = layOut({});
    made.push(files);
    const [command = "", ...args] = daemonArgv(files, PLAIN_FLAGS);
    const daemon = new Daemon(files, spawn(command, args, { stdio: ["ignore", "inherit", "pipe"] }));
    await daemon.record({ event: "ready", rules: 0 });
    expect(daemon.records.some(({ code, level }) => code === "rule.empty" && level === "warning")).toBe(true);
    const answer = await callSocket(files.hostSocket, "POST", "/api/v1/rule/evaluate", { context: {} });
    expect(answer).toMatchObject({ status: 200, body: { data: { decision: "block", matched_rule: null } } });
    expect(await daemon.end()).toBe(0);
  });

  test("daemon.bridge-down: no decision while the bridge is not up, one as soon as it is", async () => {
    // A separate network namespace, in which the test can create the device that the daemon looks for.
    const holder = spawn("unshare", [
      "-n",
      "-m",
      "sh",
      "-c",
      "mount -t sysfs sysfs /sys && echo ready && exec sleep 600",
    ]);
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    const inside = ["nsenter", "-t", String(holder.pid), "-n", "-m", "--"];
    const flags = ["--containers", "namespace", "--bridge", "outcall-e2e"];
    // Without the capability to create the device.
    const before = [...inside, "setpriv", "--bounding-set", "-net_admin", "--inh-caps", "-net_admin"];
    const daemon = await startDaemon({ rules: RULES, flags, before });
    made.push(daemon.files);
    const evaluate = () =>
      callSocket(daemon.files.hostSocket, "POST", "/api/v1/rule/evaluate", { context: { run: { path: "/bin/ls" } } });
    const error = "rule evaluation unavailable: bridge is not up";
    expect(await evaluate()).toMatchObject({ status: 503, body: { success: false, error } });
    const health = await callSocket(daemon.files.hostSocket, "GET", "/api/v1/health");
    expect(health).toMatchObject({ status: 200, body: { data: { ready: false, reason: expect.any(String) } } });
    const [, asked] = callAsAgent(daemon.files.agentSocket, [
      { path: "/v1/checkin" },
      { path: "/v1/permissions/check", body: '{"action_type":"tool_exec","target":"ls","session_token":"$TOKEN"}' },
    ]);
    expect(asked).toMatchObject({
      status: 503,
      text: JSON.stringify({ success: false, error, code: "daemon.bridge-down" }),
    });
    const ip = (...args: readonly string[]) =>
      expect(spawnSync("nsenter", [...inside.slice(1), "ip", ...args]).status).toBe(0);
    ip("link", "add", "outcall-e2e", "type", "bridge");
    ip("link", "set", "outcall-e2e", "up");
    for (;;) {
      const answer = await evaluate();
      if (answer.status === 200) break;
      expect(answer.status).toBe(503);
    }
    expect(await evaluate()).toMatchObject({ status: 200, body: { data: { decision: "allow" } } });
    await daemon.end();
    holder.kill("SIGKILL");
  });

  test("a directory of sockets that does not exist is made", async () => {
    const files = laid();
    const moved = { ...files, agentSocket: join(files.dir, "new", "agent.sock") };
    const [command = "", ...args] = daemonArgv(moved, PLAIN_FLAGS);
    const daemon = new Daemon(moved, spawn(command, args, { stdio: ["ignore", "inherit", "pipe"] }));
    await daemon.record({ event: "ready" });
    expect(statSync(join(files.dir, "new")).mode & 0o777).toBe(0o755);
    expect(await daemon.end()).toBe(0);
    mkdirSync(join(files.dir, "new"), { recursive: true });
  });
});
