// The archive for x64 with the built programs: its contents, that it runs in an empty image, and that following
// docs/install.md gives a daemon that works within the limits of its unit, under a real systemd.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { makeArchive } from "../../scripts/release/make-archive.ts";
import { writeSums } from "../../scripts/release/pack.ts";
import { missingTools } from "../../scripts/release/requirements.ts";
import { TARGETS } from "../../scripts/release/targets.ts";
import { VERSION } from "../../src/core/version.ts";
import { bootSystemd, missingSystemd } from "../support/host/boot-systemd.ts";
import { missingProgram, requirement, ROOT } from "../support/container/container.ts";
import { type DockerEngine, missingEngine, startEngine } from "../support/host/docker.ts";
import { importImage } from "../support/host/images.ts";
import { startDaemon } from "../support/program/daemon.ts";
import { documentBlocks } from "../support/document/blocks.ts";
import { program } from "../support/program/programs.ts";

// The archive contains 350 MB of programs.
setDefaultTimeout(300_000);

const NAME = `outcall-${VERSION}-linux-x64`;
const DATE = 1_700_000_000;
// The gzip level does not change the files in the archive.
const QUICK = 1;

const [x64] = TARGETS;
const lacking = x64 === undefined ? ["a target"] : missingTools([x64.machine]);
const release = requirement("release", lacking.length > 0 ? lacking.join(", ") : undefined);
const empty = requirement("in an empty image", missingEngine());
const judge = requirement("the unit's bounds are no wider than noted", missingProgram("systemd-analyze"));
const systemd = requirement("installed by docs/install.md", missingSystemd());

describe.skipIf(release.skip)(release.label, () => {
  let directory = "";
  let listed = "";
  const path = (...names: readonly string[]) => join(directory, ...names);
  beforeAll(async () => {
    if (x64 === undefined) throw new Error("no target");
    directory = mkdtempSync(join(tmpdir(), "outcall-release-"));
    const programs = dirname(program("outcalld")[0] ?? "");
    const made = makeArchive({ target: x64, programs, output: directory, date: DATE, level: QUICK });
    expect(made).toBe(`${NAME}.tar.gz`);
    await writeSums(directory, [made]);
    const words = ["--verbose", "--verbose", "--numeric-owner", "--utc", "--full-time"];
    listed = run("tar", "--extract", ...words, "--gzip", `--file=${path(made)}`, `--directory=${directory}`);
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test("has one folder of its own name, and sorted entries without an owner and with one date", () => {
    const rows = listed.trimEnd().split("\n").map((line) => line.split(/ +/));
    expect([...new Set(rows.map(([, owner]) => owner))]).toEqual(["0/0"]);
    expect([...new Set(rows.map((row) => `${row[3]} ${row[4]}`))]).toEqual(["2023-11-14 22:13:20"]);
    expect([...new Set(rows.map(([mode]) => mode))].sort()).toEqual(["-rw-r--r--", "-rwxr-xr-x", "drwxr-xr-x"]);
    const names = rows.map((row) => row[5] ?? "");
    expect(names.filter((name) => name !== `${NAME}/` && !name.startsWith(`${NAME}/`))).toEqual([]);
  });

  test("its checksums and those of all files in it match, and every file has one", () => {
    expect(run("sh", "-c", `cd "$1" && sha256sum --check --quiet --strict SHA256SUMS`, "sh", directory)).toBe("");
    expect(run("sh", "-c", `cd "$1" && sha256sum --check --quiet --strict SHA256SUMS`, "sh", path(NAME))).toBe("");
    const named = readFileSync(path(NAME, "SHA256SUMS"), "utf8").trimEnd().split("\n").map((line) => line.slice(66));
    const there = run("find", path(NAME), "-type", "f", "-printf", "%P\\n").trimEnd().split("\n");
    expect(named).toEqual(there.filter((name) => name !== "SHA256SUMS").sort());
  });

  test.skipIf(judge.skip)(judge.label, () => {
    const unit = path(NAME, "systemd", "outcalld.service");
    // In tenths: docs/install.md says 2.2.
    const judged = run("systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=22", unit);
    expect(judged).toContain("Overall exposure level for outcalld.service: 2.2 OK");
  });

  describe.skipIf(empty.skip)(empty.label, () => {
    let engine: DockerEngine;
    const image = "outcall-test/release:1";
    beforeAll(() => {
      engine = startEngine();
      // An empty image; the archive is mounted into it.
      importImage(engine, { name: image, files: {} });
    });
    afterAll(() => engine.stop());

    const started: readonly (readonly [words: readonly string[], said: string])[] = [
      [["/outcall/bin/outcalld", "--version"], `outcalld ${VERSION}`],
      [["/outcall/bin/outcall", "--version"], `outcall ${VERSION}`],
      [["/outcall/bin/outcall-agent", "--version"], `outcall-agent ${VERSION}`],
      [
        ["/outcall/bin/outcalld", "--check", "--rules-dir", "/outcall/examples/rules.d"],
        "4 files, 12 rules, 0 findings",
      ],
      [["/outcall/bin/outcall", "lint", "--strict", "/outcall/examples/rules.d"], "no findings in 4 files, 12 rules"],
    ];
    test.each(started)("%p", (words, said) => {
      expect(engine.docker(["run", "--rm", "--network=none", "-v", `${path(NAME)}:/outcall:ro`, image, ...words])).toBe(
        said,
      );
    });

    test("a daemon with only the unit's capabilities identifies an engine's container", async () => {
      const daemon = await startDaemon({
        rules: { "a.yaml": 'version: "1"\nrules:\n  - {id: a, condition: agent.name == "released", action: allow}\n' },
        flags: ["--containers", "docker", "--docker-socket", engine.socketPath, "--bridge", "none"],
        before: engine.hostArgv(["setpriv", "--bounding-set=-all,+net_admin,+sys_ptrace", "--no-new-privs", "--"]),
        command: [path(NAME, "bin", "outcalld")],
      });
      try {
        const mounts = [
          "-v",
          `${path(NAME)}:/outcall:ro`,
          "-v",
          `${dirname(daemon.files.agentSocket)}:/run/outcall:ro`,
        ];
        const asked = ["/outcall/bin/outcall-agent", "check", "--type", "tool_exec", "--target", "x"];
        const words = [
          "run",
          "--rm",
          "--network=none",
          "--user=1000:1000",
          "--name=released",
          ...mounts,
          image,
          ...asked,
        ];
        expect(engine.docker(words)).toContain("allowed");
      } finally {
        await daemon.dispose();
      }
    });
  });

  describe.skipIf(systemd.skip)(systemd.label, () => {
    test("every command of the document works, and the daemon works as a unit", () => {
      const blocks = path("blocks");
      mkdirSync(blocks);
      for (const [name, text] of documentBlocks("docs/install.md")) writeFileSync(join(blocks, name), text);
      const archives = path("archives");
      mkdirSync(archives);
      run("mv", path(`${NAME}.tar.gz`), path("SHA256SUMS"), archives);
      const script = join(ROOT, "test", "support", "host", "unit-check.sh");
      const said = bootSystemd({ script, mounts: { "/in": blocks, "/archives": archives } });
      expect(said).toBe(UNIT_SAID);
    });
  });
});

// The two bits of the capabilities are CAP_NET_ADMIN and CAP_SYS_PTRACE.
const UNIT_SAID = `== unpack
${NAME}.tar.gz: OK
== install
installed outcall ${VERSION} below /usr/local

Nothing was started. There are no rules yet, so the daemon will deny everything. Next steps:

  ls /usr/local/share/outcall/examples/rules.d                 example rules; copy those that you need to /etc/outcall/rules.d
  /usr/local/bin/outcall lint /etc/outcall/rules.d
  systemctl daemon-reload
  systemctl enable --now outcalld
  /usr/local/bin/outcall doctor
status: outcall0, up, 7 in 2 files of /etc/outcall/rules.d
started: active running enabled
capabilities: 0000000000081000 0000000000081000, no new privileges: 1, filter: 2
modes: /run/outcall 755 /run/outcalld 700 /run/outcall/agent.sock 666 /run/outcalld/host.sock 600 /var/lib/outcall 700${" "}
bridge: Bridge "outcall0" is up.
allowed: yes, no, by a hook: yes
approved: yes
== the unit
lines of the journal: 5
== upgrade
families: AF_INET AF_INET6 AF_NETLINK AF_UNIX
operators: /run/outcalld 750 outcall-operators /run/outcalld/host.sock 660 outcall-operators${" "}
a member: ready, Error: members of the operators' group may only read; this call is for root and the daemon's user
started: active, directory: the same, allowed: yes
log: whole
== inside
glibc in the bill: 1
== uninstall
kept, because it is yours: /etc/outcall/rules.d
kept, because it is yours: /etc/outcall/outcalld.env
kept, because it is yours: /var/lib/outcall
removed outcall below /usr/local
stopped: inactive, left: /run/outcall
nothing else is left
status 0
`;

function run(program: string, ...words: readonly string[]): string {
  const done = spawnSync(program, words, { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  if (done.status === 0) return done.stdout;
  throw new Error(`${program} ${words.join(" ")}: status ${done.status}: ${done.stderr}${done.stdout}`);
}
