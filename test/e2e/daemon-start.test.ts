// Start and end of the built daemon: existing files at its socket paths, permissions of their directories, two daemons
// at once, and what remains (S004-FR-001 to FR-003).
import { afterEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { Daemon, daemonArgv, type DaemonFiles, layOut, PLAIN_FLAGS } from "../support/program/daemon.ts";
import { RawClient, requestText } from "../support/socket/raw-http.ts";
import { runProgram } from "../support/program/run-program.ts";

const RULES = { "00-test.yaml": 'version: "1"\nrules:\n  - {id: all, condition: "true", action: block}\n' };

const started: Daemon[] = [];
const made: string[] = [];
afterEach(async () => {
  for (const daemon of started.splice(0)) await daemon.dispose();
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function lay(): DaemonFiles {
  const files = layOut(RULES);
  made.push(files.dir);
  return files;
}

async function start(files: DaemonFiles, before: readonly string[] = []): Promise<Daemon> {
  const [program = "", ...args] = [...before, ...daemonArgv(files, PLAIN_FLAGS)];
  const daemon = new Daemon(files, spawn(program, args, { stdio: ["ignore", "inherit", "pipe"] }));
  started.push(daemon);
  await daemon.record({ event: "ready" });
  return daemon;
}

async function refused(files: DaemonFiles, flags: readonly string[] = []): Promise<string> {
  const done = await runProgram(daemonArgv(files, [...PLAIN_FLAGS, ...flags]));
  expect(done.code).toBe(1);
  const lines = done.stderr.split("\n").filter((line) => line.startsWith("Error: "));
  expect(lines).toHaveLength(1);
  return lines[0] ?? "";
}

const sockets = (files: DaemonFiles) => [files.hostSocket, files.agentSocket];

describe("modes", () => {
  test("the host socket is the owner's, the agent socket everybody's, key and lock the owner's", async () => {
    const { files } = await start(lay());
    const modes = [...sockets(files), join(files.dir, "state", "rule-id.key"), join(files.dir, "state", "lock")]
      .map((path) => (lstatSync(path).mode & 0o7777).toString(8));
    expect(modes).toEqual(["600", "666", "600", "600"]);
    expect(statSync(join(files.dir, "state", "rule-id.key")).size).toBe(32);
  });

  test("missing directories are created; those of the host socket and the state are for the owner only, whatever the umask", async () => {
    const files = lay();
    for (const path of [dirname(files.hostSocket), dirname(files.agentSocket), join(files.dir, "state")]) {
      rmSync(path, { recursive: true });
    }
    await start(files, ["sh", "-c", 'umask 0 && exec "$@"', "sh"]);
    const modes = [dirname(files.hostSocket), dirname(files.agentSocket), join(files.dir, "state")]
      .map((path) => (statSync(path).mode & 0o7777).toString(8));
    expect(modes).toEqual(["700", "755", "700"]);
    expect(sockets(files).map((path) => (lstatSync(path).mode & 0o777).toString(8))).toEqual(["600", "666"]);
  });
});

describe("what is there already", () => {
  test("sockets of a dead daemon are taken over", async () => {
    const files = lay();
    const dead = await start(files);
    const before = sockets(files).map((path) => lstatSync(path).ino);
    await dead.end("SIGKILL");
    expect(sockets(files).map((path) => lstatSync(path).ino)).toEqual(before);
    const daemon = await start(files);
    expect(await daemon.end("SIGTERM")).toBe(0);
  });

  for (const name of ["hostSocket", "agentSocket"] as const) {
    test(`${name}: somebody answers there`, async () => {
      const files = lay();
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(files[name], resolve));
      expect(await refused(files)).toContain("another daemon answers there");
      expect(existsSync(files[name])).toBe(true);
      await new Promise((resolve) => other.close(resolve));
    });

    test(`${name}: a file, a link, a directory are left as they are`, async () => {
      const plants: readonly ((path: string) => void)[] = [
        (path) => writeFileSync(path, "precious"),
        (path) => symlinkSync("/nowhere", path),
        (path) => mkdirSync(path),
      ];
      for (const plant of plants) {
        const files = lay();
        plant(files[name]);
        const before = lstatSync(files[name]);
        expect(await refused(files)).toContain("not a socket");
        expect(lstatSync(files[name])).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
      }
    });

    test(`${name}: a directory that others may write, or that is missing two levels up`, async () => {
      const files = lay();
      const dir = dirname(files[name]);
      chmodSync(dir, 0o777);
      expect(await refused(files)).toContain("may be written by group or others (mode 777)");
      rmSync(dir, { recursive: true });
      const deep = { ...files, [name]: join(dir, "deeper", "s.sock") };
      expect(await refused(deep)).toContain("cannot make directory");
    });
  }

  const root = requirement("of another user", missingRoot());
  test.skipIf(root.skip)(`a directory or a socket ${root.label}`, async () => {
    const files = lay();
    chownSync(dirname(files.agentSocket), 65_534, 65_534);
    expect(await refused(files)).toContain("is owned by uid 65534");
    const left = lay();
    await (await start(left)).end("SIGKILL");
    chownSync(left.agentSocket, 65_534, 65_534);
    expect(await refused(left)).toContain("the socket at that path belongs to uid 65534");
    expect(existsSync(left.agentSocket)).toBe(true);
  });
});

describe("two daemons", () => {
  test("a second daemon on the same state directory is refused, even with other sockets; a kill frees it", async () => {
    const files = lay();
    const first = await start(files);
    const other = lay();
    const [program = "", ...args] = daemonArgv(other, PLAIN_FLAGS).map((word) =>
      word === join(other.dir, "state") ? join(files.dir, "state") : word
    );
    const done = await runProgram([program, ...args]);
    expect(done).toMatchObject({ code: 1 });
    expect(done.stderr).toContain("another daemon uses the state directory");
    expect(sockets(other).map((path) => existsSync(path))).toEqual([false, false]);
    await first.end("SIGKILL");
    expect(await runProgram([program, ...args, "--check"])).toMatchObject({ code: 0 });
    await start(files);
  });

  test("of several started at once on the same paths, one serves and the others refuse", async () => {
    const files = lay();
    const argv = daemonArgv(files, PLAIN_FLAGS);
    const all = Array.from({ length: 4 }, () => {
      const daemon = new Daemon(files, spawn(argv[0] ?? "", argv.slice(1), { stdio: ["ignore", "inherit", "pipe"] }));
      started.push(daemon);
      return daemon.record({ event: "ready" }).then(() => "ready", () => "refused");
    });
    expect((await Promise.all(all)).sort()).toEqual(["ready", "refused", "refused", "refused"]);
    expect(sockets(files).map((path) => lstatSync(path).isSocket())).toEqual([true, true]);
  });
});

describe("the state directory", () => {
  const cases: readonly { note: string; spoil: (state: string) => void; error: string }[] = [
    { note: "others may write it", spoil: (state) => chmodSync(state, 0o777), error: "may be written" },
    {
      note: "it is a file",
      spoil: (state) => {
        rmSync(state, { recursive: true });
        writeFileSync(state, "");
      },
      error: "cannot use the state directory",
    },
    {
      note: "a key that others may read",
      spoil: (state) => writeFileSync(join(state, "rule-id.key"), Buffer.alloc(32), { mode: 0o644 }),
      error: "is not a key file of the daemon with mode 0600 and 32 bytes",
    },
    {
      note: "a key that is cut short",
      spoil: (state) => writeFileSync(join(state, "rule-id.key"), Buffer.alloc(31), { mode: 0o600 }),
      error: "is not a key file of the daemon with mode 0600 and 32 bytes",
    },
    {
      note: "a key that is a link",
      spoil: (state) => symlinkSync("/etc/hostname", join(state, "rule-id.key")),
      error: "cannot keep a key in",
    },
    {
      note: "a lock that is a link",
      spoil: (state) => symlinkSync("/etc/hostname", join(state, "lock")),
      error: "cannot use the state directory",
    },
  ];
  for (const { note, spoil, error } of cases) {
    test(`refused: ${note}`, async () => {
      const files = lay();
      spoil(join(files.dir, "state"));
      expect(await refused(files)).toContain(error);
      expect(sockets(files).map((path) => existsSync(path))).toEqual([false, false]);
    });
  }

  test("the key outlives the daemon", async () => {
    const files = lay();
    const key = () => readFileSync(join(files.dir, "state", "rule-id.key")).toString("hex");
    await (await start(files)).end();
    const first = key();
    await start(files);
    expect(key()).toBe(first);
  });
});

describe("the end", () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    test(`${signal}: exit 0, both sockets gone, said in the log`, async () => {
      const daemon = await start(lay());
      expect(await daemon.end(signal)).toBe(0);
      expect(sockets(daemon.files).map((path) => existsSync(path))).toEqual([false, false]);
      expect(daemon.records.at(-2)).toMatchObject({ event: "stopping", signal });
      expect(daemon.records.at(-1)).toMatchObject({ event: "stopped" });
    });
  }

  test("a socket that another has put in its place stays", async () => {
    const daemon = await start(lay());
    const { agentSocket } = daemon.files;
    renameSync(agentSocket, `${agentSocket}.away`);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(agentSocket, resolve));
    expect(await daemon.end("SIGTERM")).toBe(0);
    expect(existsSync(agentSocket)).toBe(true);
    await new Promise((resolve) => other.close(resolve));
  });

  test("a request in flight is answered, its connection is the last one, and only then are the sockets gone", async () => {
    const daemon = await start(lay());
    const { files } = daemon;
    const client = new RawClient(files.hostSocket);
    const idle = new RawClient(files.hostSocket);
    const bytes = requestText({ path: "/api/v1/rule/evaluate", body: { context: {} } });
    client.send(bytes.slice(0, -1));
    // An answer to this request shows that the one before was read.
    expect(await idle.ask({ method: "GET", path: "/api/v1/health" })).toMatchObject({ status: 200 });
    daemon.process.kill("SIGTERM");
    await daemon.record({ event: "stopping" });
    expect(sockets(files).map((path) => existsSync(path))).toEqual([true, true]);
    const late = new RawClient(files.hostSocket);
    await late.closed();
    client.send(bytes.slice(-1));
    expect(await client.answer()).toMatchObject({ status: 200, headers: { connection: "close" } });
    expect(await daemon.end("SIGTERM")).toBe(0);
    expect(sockets(files).map((path) => existsSync(path))).toEqual([false, false]);
  });
});

const namespaces = requirement("container sources", missingRoot(), missingProgram("unshare"));
describe.skipIf(namespaces.skip)(namespaces.label, () => {
  const cases = [
    { note: "docker that does not answer", flags: ["--containers", "docker", "--docker-socket", "/nowhere.sock"] },
    { note: "auto without docker", flags: ["--containers", "auto", "--docker-socket", "/nowhere.sock"] },
  ];
  for (const { note, flags } of cases) {
    test(`refused: ${note}`, async () => {
      const files = lay();
      // Hides the cgroups of other tests' containers from this daemon.
      const hidden = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"', "sh"];
      const done = await runProgram([...hidden, ...daemonArgv(files, ["--bridge", "none", ...flags])]);
      // container.no-source
      expect(done).toMatchObject({ code: 1 });
      expect(done.stderr).toContain("Error: no container source: docker socket");
      expect(sockets(files).map((path) => existsSync(path))).toEqual([false, false]);
    });
  }
});
