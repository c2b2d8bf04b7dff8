// The scenarios of the specification for the shim by name, on the built programs in real containers.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { missingProgram, requirement } from "../support/container/container.ts";
import { type Daemon, startDaemon } from "../support/program/daemon.ts";
import { type DockerEngine, missingEngine, startEngine } from "../support/host/docker.ts";
import { filesOf, importImage } from "../support/host/images.ts";
import { program } from "../support/program/programs.ts";
import { connectionWaits } from "../support/socket/waiting-connection.ts";

// Starting a real engine takes seconds, and longer on a busy machine.
setDefaultTimeout(120_000);

const IMAGE = "outcall-test/agent:1";
const SHIM = "/usr/bin/outcall-agent";
const STRACE = "/usr/bin/strace";
const MISSING = "outcall-agent: agent socket not found at /run/outcall/agent.sock -- is outcalld running?\n";
const CLOSED =
  "outcall-agent: outcalld at /run/outcall/agent.sock closed the connection before its answer was complete\n";

const RULES = {
  "00-test.yaml": `version: "1"
rules:
  - {id: waits, condition: '"slow" in run.args', action: enrich, enrich: {script: slow.sh, timeout_ms: 60000}}
  - {id: all, condition: 'true', action: allow}
`,
};

// A hook that never ends; it writes its process group when it starts.
const SLOW = "#!/bin/sh\necho $$ > group.new\nmv group.new group\nexec sleep 1000000\n";

/** Ways to run something; each would leave a file. */
const ACTIONS: readonly (readonly [note: string, words: readonly string[]])[] = [
  ["exec", [SHIM, "exec", "--", "touch", "/tmp/ran", "slow"]],
  ["shell", [SHIM, "shell", "touch /tmp/ran slow"]],
  ["a link", ["/links/touch", "/tmp/ran", "slow"]],
];

const CHECK = ["a check", [SHIM, "check", "--type", "tool_exec", "--target", "/x", "--meta", "argv=slow"]] as const;

const { label, skip } = requirement("S004", missingEngine(), missingProgram("strace"));

describe.skipIf(skip)(label, () => {
  let engine: DockerEngine;
  const daemons: Daemon[] = [];

  beforeAll(() => {
    engine = startEngine();
    const files = {
      ...filesOf(["/bin/sh", "/bin/touch", "/bin/sleep", STRACE]),
      [SHIM]: program("outcall-agent")[0] ?? "",
    };
    importImage(engine, { name: IMAGE, files, directories: ["tmp"], changes: ["ENV PATH=/usr/bin:/bin"] });
  });
  afterAll(async () => {
    for (const daemon of daemons) await daemon.dispose();
    engine?.stop();
  });

  async function start(): Promise<Daemon> {
    const flags = [
      ...engine.daemonFlags,
      "--agent-timeout",
      "1m",
    ];
    const daemon = await startDaemon({ rules: RULES, flags, before: engine.hostArgv([]) });
    daemons.push(daemon);
    writeFileSync(join(daemon.files.rulesDir, "slow.sh"), SLOW, { mode: 0o755 });
    return daemon;
  }

  /** Starts a container with links to the shim; with a daemon, its socket directory is mounted. */
  function startContainer(daemon?: Daemon): string {
    const mounts = daemon === undefined ? [] : [`${dirname(daemon.files.agentSocket)}:/run/outcall`];
    const id = engine.startContainer({ image: IMAGE, mounts });
    engine.docker(["exec", id, SHIM, "link", "/links", "touch"]);
    return id;
  }

  function run(id: string, words: readonly string[]) {
    const [command = "", ...rest] = engine.dockerArgv(["exec", id, ...words]);
    const { status, stdout, stderr } = spawnSync(command, rest, { encoding: "utf8" });
    return { status, stdout, stderr };
  }

  function hasRun(id: string): boolean {
    return run(id, ["sh", "-c", "test -e /tmp/ran"]).status === 0;
  }

  /** Starts the shim without waiting for its end. */
  function begin(id: string, words: readonly string[]): Ending {
    const [command = "", ...rest] = engine.dockerArgv(["exec", id, ...words]);
    return new Ending(spawn(command, rest, { stdio: ["ignore", "pipe", "pipe"] }));
  }

  test("S004-AS-004 fail closed: socket missing", () => {
    const id = startContainer();
    for (const [, words] of ACTIONS) expect(run(id, words)).toEqual({ status: 5, stdout: "", stderr: MISSING });
    expect(run(id, [SHIM, "checkin"])).toEqual({ status: 5, stdout: "", stderr: MISSING });
    expect(hasRun(id)).toBe(false);
    // The trace shows no started program, and no connection except to the missing socket.
    const traced = run(id, [STRACE, "-f", "-e", "trace=network,execve", SHIM, "exec", "touch", "/tmp/ran"]);
    expect(traced.status).toBe(5);
    const calls = traced.stderr.split("\n").filter((line) => /\b(execve|connect|sendto|sendmsg|bind)\(/.test(line));
    expect(calls).toEqual([
      expect.stringContaining(`execve("${SHIM}"`),
      expect.stringContaining('connect(5, {sa_family=AF_UNIX, sun_path="/run/outcall/agent.sock"}'),
    ]);
    expect(traced.stderr).not.toContain("AF_INET");
  });

  test("S004-EC-001 agent socket missing when the shim starts: one line, exit 5, no retry", async () => {
    const daemon = await start();
    const id = startContainer(daemon);
    expect(run(id, [SHIM, "checkin"]).status).toBe(0);
    expect(await daemon.end("SIGTERM")).toBe(0);
    for (const [, words] of ACTIONS) expect(run(id, words)).toEqual({ status: 5, stdout: "", stderr: MISSING });
    const traced = run(id, [STRACE, "-f", "-e", "trace=connect", SHIM, "exec", "touch", "/tmp/ran"]);
    expect(traced.stderr.match(/connect\(/g)).toHaveLength(1);
    expect(hasRun(id)).toBe(false);
    // The socket of a daemon that was killed.
    const other = await start();
    const second = startContainer(other);
    await other.end("SIGKILL");
    expect(existsSync(other.files.agentSocket)).toBe(true);
    const refused = "outcall-agent: cannot connect to outcalld at /run/outcall/agent.sock -- is it running?\n";
    for (const [, words] of ACTIONS) expect(run(second, words)).toEqual({ status: 5, stdout: "", stderr: refused });
    expect(hasRun(second)).toBe(false);
  });

  test("S004-AS-005 fail closed: daemon crashes mid-request", async () => {
    const daemon = await start();
    const id = startContainer(daemon);
    const asking = begin(id, ACTIONS[0]?.[1] ?? []);
    const group = await groupOf(daemon);
    await daemon.end("SIGKILL");
    process.kill(-group, "SIGKILL");
    expect(await asking.end()).toEqual({ code: 5, stdout: "", stderr: CLOSED });
    expect(hasRun(id)).toBe(false);
  });

  test("S004-EC-002 daemon crashes with a request in flight: a check-in", async () => {
    const daemon = await start();
    const id = startContainer(daemon);
    daemon.process.kill("SIGSTOP");
    const asking = begin(id, ACTIONS[0]?.[1] ?? []);
    await connectionWaits(engine, daemon.files.agentSocket);
    await daemon.end("SIGKILL");
    expect(await asking.end()).toEqual({ code: 5, stdout: "", stderr: CLOSED });
    expect(hasRun(id)).toBe(false);
  });

  test.each([...ACTIONS.slice(1), CHECK])(
    "S004-EC-002 daemon crashes with a request in flight: %s",
    async (_note, words) => {
      const daemon = await start();
      const id = startContainer(daemon);
      const asking = begin(id, words);
      const group = await groupOf(daemon);
      await daemon.end("SIGKILL");
      process.kill(-group, "SIGKILL");
      expect(await asking.end()).toEqual({ code: 5, stdout: "", stderr: CLOSED });
      expect(hasRun(id)).toBe(false);
    },
  );
});

/** Collects the output of a program until its end. */
class Ending {
  readonly #exited: Promise<unknown[]>;
  #stdout = "";
  #stderr = "";

  constructor(child: ChildProcess) {
    child.stdout?.on("data", (chunk) => (this.#stdout += chunk));
    child.stderr?.on("data", (chunk) => (this.#stderr += chunk));
    this.#exited = once(child, "close");
  }

  async end() {
    const [code] = await this.#exited;
    return { code, stdout: this.#stdout, stderr: this.#stderr };
  }
}

// The process group of the hook, once the request has reached it.
async function groupOf({ files }: Daemon): Promise<number> {
  const path = join(files.rulesDir, "group");
  while (!existsSync(path)) await new Promise((resolve) => setImmediate(resolve));
  return Number(readFileSync(path, "utf8"));
}
