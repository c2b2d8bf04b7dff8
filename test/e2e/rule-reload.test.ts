// Reloads of the built daemon by call, by signal and by watching, with everything that an editor, a deployment or an
// accident does to a rules directory (S003-AS-009, AS-010, EC-015, EC-016).
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { spawn } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { missingProgram, missingRoot, requirement } from "../support/container/container.ts";
import { Daemon, daemonArgv, layOut } from "../support/program/daemon.ts";
import { DEBUG_FLAGS, RuleHost } from "../support/rule/host.ts";

setDefaultTimeout(120_000);

const hosts: (RuleHost | Daemon)[] = [];
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.dispose();
});

/** A file with this many rules. The first one decides, and its id contains the number. */
function ruleFile(count: number): string {
  const lines = Array.from(
    { length: count },
    (_, at) => `  - {id: r${at}-of-${count}, condition: "true", action: allow}\n`,
  );
  return `version: "1"\nrules:\n${lines.join("")}`;
}

async function start(flags: readonly string[] = []): Promise<RuleHost> {
  const host = await RuleHost.start({ "a.yaml": ruleFile(1) }, {}, flags);
  hosts.push(host);
  return host;
}

/** Waits until a reload has put a set of this many rules in force and it decides. */
async function seesRules(host: RuleHost, count: number): Promise<void> {
  await host.daemon.record({ event: "rules.reloaded", rules: count });
  expect(await host.evaluate({})).toMatchObject({ decision: "allow", matched_rule: `r0-of-${count}` });
}

describe("by call", () => {
  test("S003-AS-009 hot reload via API: the next decision is the new set's", async () => {
    const host = await start(["--no-watch"]);
    host.write("a.yaml", ruleFile(2));
    expect(await host.outcall("rule", "reload")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Rules reloaded: 1 file, 2 rules loaded\.\nWarnings:\n {2}a\.yaml:3: /),
      stderr: "",
    });
    await seesRules(host, 2);
  });

  test("S003-EC-015 invalid new rules: every error, the old set stays, and status shows it until a reload succeeds", async () => {
    const host = await start(["--no-watch"]);
    host.write("a.yaml", ruleFile(2));
    host.write("b.yaml", 'version: "1"\nrules:\n  - {id: b, condition: network.hostnam == "", action: allow}\n');
    host.write("c.yaml", "version: 1\n");
    const { code, stdout, stderr } = await host.outcall("rule", "reload");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^Error: reload failed: \S+\/b\.yaml:3:32: .*hostnam.*; \S+\/c\.yaml:1:10: .*version.*\n/);
    expect(stderr).toEndWith("\nPrevious rules remain active.\n");
    expect(await host.evaluate({})).toMatchObject({ matched_rule: "r0-of-1" });
    expect(host.logged({ event: "rule.error", level: "error" }).map((record) => record["code"]))
      .toEqual(["rule.unknown-field", "rule.version"]);
    await host.daemon.record({ event: "rules.reload-failed", level: "error", cause: "api", errors: 2 });
    expect((await host.outcall("status")).stdout).toMatch(/^Last reload: +failed, .*\nReload error: .*b\.yaml:3:32: /m);
    for (const name of ["b.yaml", "c.yaml"]) unlinkSync(join(host.files.rulesDir, name));
    expect((await host.outcall("rule", "reload")).code).toBe(0);
    const { stdout: shown } = await host.outcall("status");
    expect(shown).toMatch(/^Last reload: +ok, /m);
    expect(shown).not.toContain("Reload error");
  });

  test("a directory that others may write does not load", async () => {
    const host = await start(["--no-watch"]);
    rmSync(host.files.rulesDir, { recursive: true });
    mkdirSync(host.files.rulesDir, { mode: 0o755 });
    Bun.spawnSync(["chmod", "777", host.files.rulesDir]);
    const { code, stderr } = await host.outcall("rule", "reload");
    expect(code).toBe(1);
    expect(stderr).toContain("may be written by group or others");
    expect(await host.evaluate({})).toMatchObject({ matched_rule: "r0-of-1" });
  });
});

test("SIGHUP reloads", async () => {
  const host = await start(["--no-watch"]);
  host.write("a.yaml", ruleFile(3));
  host.daemon.process.kill("SIGHUP");
  await seesRules(host, 3);
  expect(host.logged({ event: "rules.reloaded" })).toMatchObject([{ cause: "signal" }]);
});

test("--no-watch notices nothing by itself", async () => {
  const host = await start(["--no-watch"]);
  // A second daemon with the same rules: once it has noticed the change, the first one would have too.
  const other = layOut({});
  const argv = daemonArgv({ ...other, rulesDir: host.files.rulesDir }, DEBUG_FLAGS);
  const watching = new Daemon(other, spawn(argv[0] ?? "", argv.slice(1), { stdio: ["ignore", "inherit", "pipe"] }));
  hosts.push(watching);
  await watching.record({ event: "ready" });
  for (const count of [2, 3]) {
    host.write("a.yaml", ruleFile(count));
    await watching.record({ event: "rules.reloaded", rules: count });
  }
  host.daemon.process.kill("SIGHUP");
  await seesRules(host, 3);
  expect(host.logged({ event: "rules.reloaded" })).toHaveLength(1);
});

describe("by watch", () => {
  test("S003-AS-010 hot reload via file watch: a write, another file, a removal", async () => {
    const host = await start();
    host.write("a.yaml", ruleFile(2));
    await seesRules(host, 2);
    host.write("b.yaml", ruleFile(3).replaceAll("{id: r", "{id: b"));
    await host.daemon.record({ event: "rules.reloaded", rules: 5, cause: "watch" });
    unlinkSync(join(host.files.rulesDir, "a.yaml"));
    await host.daemon.record({ event: "rules.reloaded", rules: 3, cause: "watch" });
  });

  test("a broken file is an error, its repair is noticed", async () => {
    const host = await start();
    host.write("a.yaml", "version: [");
    await host.daemon.record({ event: "rules.reload-failed", cause: "watch" });
    expect(await host.evaluate({})).toMatchObject({ matched_rule: "r0-of-1" });
    host.write("a.yaml", ruleFile(4));
    await seesRules(host, 4);
  });

  test("like an editor: written under another name, the old file moved away, renamed into its place", async () => {
    const host = await start();
    const path = join(host.files.rulesDir, "a.yaml");
    writeFileSync(`${path}.tmp`, ruleFile(2), { mode: 0o644 });
    renameSync(path, `${path}~`);
    renameSync(`${path}.tmp`, path);
    await seesRules(host, 2);
    expect(host.logged({ event: "rules.reload-failed" })).toEqual([]);
  });

  test("a directory removed and made again, twice", async () => {
    const host = await start();
    for (const count of [2, 3]) {
      rmSync(host.files.rulesDir, { recursive: true });
      await host.daemon.record({ event: "rules.reload-failed", errors: 1 });
      expect(await host.evaluate({})).toMatchObject({ matched_rule: `r0-of-${count - 1}` });
      mkdirSync(host.files.rulesDir, { mode: 0o755 });
      host.write("a.yaml", ruleFile(count));
      await seesRules(host, count);
    }
    host.write("a.yaml", ruleFile(4));
    await seesRules(host, 4);
  });

  test("a directory renamed away and another in its place", async () => {
    const host = await start();
    const { rulesDir } = host.files;
    renameSync(rulesDir, `${rulesDir}.old`);
    mkdirSync(rulesDir, { mode: 0o755 });
    host.write("a.yaml", ruleFile(2));
    await seesRules(host, 2);
    writeFileSync(join(`${rulesDir}.old`, "a.yaml"), ruleFile(9));
    host.write("a.yaml", ruleFile(3));
    await seesRules(host, 3);
    expect(host.logged({ event: "rules.reloaded", rules: 9 })).toEqual([]);
  });

  // The rules directory is reached through a link, directly or in a parent directory; `mv -T` replaces the link
  // atomically.
  for (
    const { note, link, below } of [
      { note: "of the directory itself", link: "rules.d", below: "" },
      { note: "of a directory above it", link: "current", below: "etc/rules.d" },
    ]
  ) {
    test(`an atomic swap by symbolic link ${note}, again and again`, async () => {
      const files = layOut({});
      rmSync(files.rulesDir, { recursive: true });
      const put = (count: number) => {
        const dir = join(files.dir, `version-${count}`, below);
        mkdirSync(dir, { recursive: true, mode: 0o755 });
        writeFileSync(join(dir, "a.yaml"), ruleFile(count), { mode: 0o644 });
        symlinkSync(`version-${count}`, join(files.dir, "next"));
        renameSync(join(files.dir, "next"), join(files.dir, link));
      };
      put(1);
      const argv = daemonArgv({ ...files, rulesDir: join(files.dir, link, below) }, DEBUG_FLAGS);
      const daemon = new Daemon(files, spawn(argv[0] ?? "", argv.slice(1), { stdio: ["ignore", "inherit", "pipe"] }));
      hosts.push(daemon);
      await daemon.record({ event: "ready", rules: 1 });
      for (const count of [2, 3, 4]) {
        put(count);
        await daemon.record({ event: "rules.reloaded", rules: count, cause: "watch" });
      }
      writeFileSync(join(files.dir, "version-4", below, "a.yaml"), ruleFile(5));
      await daemon.record({ event: "rules.reloaded", rules: 5, cause: "watch" });
    });
  }

  test("a link's target in another directory", async () => {
    const host = await start();
    const target = join(dirname(host.files.rulesDir), "elsewhere.yaml");
    writeFileSync(target, ruleFile(2), { mode: 0o644 });
    rmSync(join(host.files.rulesDir, "a.yaml"));
    symlinkSync(target, join(host.files.rulesDir, "a.yaml"));
    await seesRules(host, 2);
    writeFileSync(target, ruleFile(3));
    await seesRules(host, 3);
  });

  test("a burst of 1,000 writes is a few loads", async () => {
    const host = await start();
    for (let write = 0; write < 1_000; write++) host.write(`burst-${write % 50}.yaml`, `version: "1"\n# ${write}\n`);
    host.write("a.yaml", ruleFile(2));
    await seesRules(host, 2);
    expect(host.logged({ event: "rules.reloaded" }).length).toBeLessThan(20);
    expect(host.logged({ event: "rules.reload-failed" })).toEqual([]);
  });

  const { label, skip } = requirement("without inotify", missingRoot(), missingProgram("unshare"));
  test.skipIf(skip)(`${label} the directory is looked at instead, and the log says so`, async () => {
    const files = layOut({ "a.yaml": ruleFile(1) });
    const script = 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"';
    const argv = ["-U", "-r", "sh", "-c", script, "sh", ...daemonArgv(files, DEBUG_FLAGS)];
    const daemon = new Daemon(files, spawn("unshare", argv, { stdio: ["ignore", "inherit", "pipe"] }));
    hosts.push(daemon);
    await daemon.record({ event: "ready" });
    await daemon.record({ event: "rules.watch-polls", level: "warning" });
    writeFileSync(join(files.rulesDir, "a.yaml"), ruleFile(2));
    await daemon.record({ event: "rules.reloaded", rules: 2, cause: "watch" });
    rmSync(files.rulesDir, { recursive: true });
    await daemon.record({ event: "rules.reload-failed" });
    mkdirSync(files.rulesDir, { mode: 0o755 });
    writeFileSync(join(files.rulesDir, "a.yaml"), ruleFile(3), { mode: 0o644 });
    await daemon.record({ event: "rules.reloaded", rules: 3 });
  });
});

test("S003-EC-016 evaluations during reloads: each is of the set before or the set after", async () => {
  const host = await start(["--no-watch"]);
  let isDone = false;
  let current = 1;
  const reloading = (async () => {
    for (let count = 2; count <= 30; count++) {
      host.write("a.yaml", ruleFile(count));
      expect((await host.outcall("rule", "reload")).code).toBe(0);
      current = count;
    }
    isDone = true;
  })();
  let asked = 0;
  while (!isDone) {
    const before = current;
    const { matched_rule } = await host.evaluate({});
    const count = Number(/^r0-of-(\d+)$/.exec(matched_rule ?? "")?.[1]);
    expect(count).toBeGreaterThanOrEqual(before);
    expect(count).toBeLessThanOrEqual(current + 1);
    asked++;
  }
  await reloading;
  expect(asked).toBeGreaterThan(30);
});
