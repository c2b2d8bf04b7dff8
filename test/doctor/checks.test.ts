// Each check of `outcall doctor`: its result, whether it keeps the daemon from working, and its remedy.
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Check } from "../../src/doctor/check.ts";
import { checkBridge } from "../../src/doctor/check-bridge.ts";
import { AHEAD_MS, checkClock, NOT_BEFORE_MS } from "../../src/doctor/check-clock.ts";
import { checkSocket, checkStateDir } from "../../src/doctor/check-directories.ts";
import { checkDocker } from "../../src/doctor/check-docker.ts";
import { checkKernel } from "../../src/doctor/check-kernel.ts";
import { checkRules } from "../../src/doctor/check-rules.ts";
import { shellPath } from "../../src/doctor/look.ts";
import { IS_ROOT } from "../support/container/container.ts";

const parent = mkdtempSync(join(tmpdir(), "doctor-"));
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(parent, { recursive: true });
});

let made = 0;
function directory(mode = 0o755, name = "d"): string {
  const dir = join(parent, `${name}${made++}`);
  mkdirSync(dir);
  chmodSync(dir, mode);
  return dir;
}

function socket(dir: string, mode: number): Promise<string> {
  const path = join(dir, "s.sock");
  const server = createServer();
  servers.push(server);
  return new Promise((resolve) =>
    server.listen(path, () => {
      chmodSync(path, mode);
      resolve(path);
    })
  );
}

const host = (path: string) =>
  checkSocket({
    name: "host socket",
    flag: "socket",
    defaultPath: "/run/outcalld/host.sock",
    path,
    mode: 0o600,
    directoryMode: 0o700,
  });
const agent = (path: string) =>
  checkSocket({
    name: "agent socket",
    flag: "agent-socket",
    defaultPath: "/run/outcall/agent.sock",
    path,
    mode: 0o666,
    directoryMode: 0o755,
  });

const OTHER_SOCKET = "give outcalld a directory of its own: --agent-socket /run/outcall/agent.sock";

/** The text of a check, without the path of the test's directory. */
function told({ outcome, found, remedy }: Check): string {
  return `${outcome}: ${found}${remedy === null ? "" : ` -> ${remedy}`}`.replaceAll(parent, "");
}

describe("checkSocket", () => {
  test("a socket as the daemon makes it", async () => {
    const dir = directory();
    expect(told(host(await socket(dir, 0o600)))).toBe(`ok: "${dir}/s.sock", mode 0600`.replace(parent, ""));
    expect(agent(await socket(directory(), 0o666)).outcome).toBe("ok");
  });

  test("a socket of another mode", async () => {
    expect(told(host(await socket(directory(), 0o666)))).toMatch(
      /^failed: .* has mode 0666, not 0600 -> restart outcalld/,
    );
    expect(told(agent(await socket(directory(), 0o600)))).toMatch(
      /^failed: .* has mode 0600, not 0666 -> restart outcalld/,
    );
  });

  const cases: readonly (readonly [note: string, make: () => string, told: RegExp])[] = [
    ["no socket yet", () => directory(), /^ok: ".*", mode 0755, no socket in it yet$/],
    ["no directory yet", () => `${directory()}/new`, /^ok: "\/d\d+\/new" does not exist yet, outcalld makes it$/],
    [
      "nothing above it",
      () => `${parent}/no/thing`,
      /^failed: neither "\/no\/thing" .* -> mkdir -p -m 0755 \/no\/thing$/,
    ],
    [
      "others may write",
      () => directory(0o777, "outcall"),
      /^failed: .* may be written by group or others .* -> chmod go-w \/outcall\d+$/,
    ],
    [
      "ordinary users do not get there",
      () => directory(0o700, "outcall"),
      /^warning: .* other users cannot connect -> chmod go\+rx \/outcall\d+$/,
    ],
  ];
  test.each(cases)("%s", (_note, make, expected) => expect(told(agent(join(make(), "s.sock")))).toMatch(expected));

  test("the host's directory is the operator's alone, so that is no warning", () => {
    expect(host(join(directory(0o700), "s.sock")).outcome).toBe("ok");
  });

  test("something else at its path, and a file for its directory", () => {
    const dir = directory();
    writeFileSync(join(dir, "s.sock"), "");
    expect(told(agent(join(dir, "s.sock")))).toMatch(/^failed: .* is not a socket -> move .* away, or /);
    expect(told(agent(join(dir, "s.sock", "s.sock")))).toBe(
      `failed: "${dir}/s.sock" is not a directory -> ${OTHER_SOCKET}`.replace(parent, ""),
    );
  });

  test.skipIf(!IS_ROOT)("another owner", () => {
    const dir = directory(0o755, "outcall");
    chownSync(dir, 12_345, 0);
    expect(told(agent(join(dir, "s.sock")))).toMatch(
      /^failed: .* is owned by uid 12345, .* -> chown root \/outcall\d+$/,
    );
  });

  test("A3: doctor never advises a change of a directory that is not the product's own", () => {
    const others = [
      "/tmp/s.sock",
      "/var/tmp/s.sock",
      join(directory(0o777), "s.sock"),
      join(directory(0o700), "s.sock"),
    ];
    for (const path of others) expect({ path, remedy: agent(path).remedy }).toEqual({ path, remedy: OTHER_SOCKET });
    const sticky = directory(0o1777, "outcall");
    expect(agent(join(sticky, "s.sock")).remedy).toBe(OTHER_SOCKET);
    expect(checkStateDir("/tmp").remedy).toBe("give outcalld a directory of its own: --state-dir /var/lib/outcall");
    expect(checkRules("/tmp").remedy).toBe("give outcalld a directory of its own: --rules-dir /etc/outcall/rules.d");
  });
});

test("checkStateDir: there with room, not there yet, for others to write", () => {
  expect(told(checkStateDir(directory(0o700)))).toMatch(/^ok: "\/d\d+", mode 0700, \d+ MiB free$/);
  expect(told(checkStateDir(join(directory(), "state")))).toMatch(/^ok: .* does not exist yet, outcalld makes it$/);
  expect(checkStateDir(directory(0o770)).outcome).toBe("failed");
});

describe("checkRules", () => {
  const rule = (id: string) => `version: "1"\nrules:\n  - {id: ${id}, condition: dns.query == "x", action: block}\n`;
  const cases: readonly (readonly [note: string, files: Record<string, string>, told: RegExp])[] = [
    ["rules", { "a.yaml": rule("a") }, /^ok: "\/d\d+": 1 file, 1 rule$/],
    [
      "warnings",
      { "a.yaml": rule("a").replace('dns.query == "x"', "1 == 2") },
      /^ok: .* 1 rule, 1 warning \(outcall lint .*\)$/,
    ],
    ["none", {}, /^warning: .* has no rules: every request is blocked -> put rule files/],
    ["an error", { "a.yaml": "version: 1\n" }, /^failed: a\.yaml:1: version must be .* -> outcall lint \/d\d+$/],
    [
      "errors",
      { "a.yaml": "version: 1\n", "b.yaml": rule("b") + rule("b") },
      /^failed: a\.yaml:1: .*, and \d+ more errors? -> /,
    ],
  ];
  test.each(cases)("%s", (_note, files, expected) => {
    const dir = directory();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text, { mode: 0o644 });
    expect(told(checkRules(dir))).toMatch(expected);
  });

  test("no directory, and one that others may write", () => {
    expect(told(checkRules(`${parent}/gone`))).toBe('failed: "/gone" does not exist -> mkdir -p -m 0755 /gone');
    expect(told(checkRules(directory(0o777)))).toMatch(
      /^failed: rules directory .* may be written by group or others .* -> chmod go-w \/d\d+$/,
    );
  });

  test("A3: a rule file or hook that others may write: the command that changes its mode, not outcall lint", () => {
    const dir = directory();
    const files = [["a file.yaml", 0o664], ["b.yaml", 0o644], ["c.yaml", 0o602]] as const;
    for (const [index, [name, mode]] of files.entries()) {
      writeFileSync(join(dir, name), rule(`r${index}`));
      chmodSync(join(dir, name), mode);
    }
    expect(told(checkRules(dir))).toMatch(
      /may be written by group .* -> chmod go-w '\/d\d+\/a file\.yaml' && chmod go-w \/d\d+\/c\.yaml$/,
    );
    const hooks = directory();
    const enrich = rule("a").replace("action: block", "action: enrich, enrich: {script: h/x.sh}");
    writeFileSync(join(hooks, "a.yaml"), enrich, { mode: 0o644 });
    mkdirSync(join(hooks, "h"), { mode: 0o755 });
    writeFileSync(join(hooks, "h", "x.sh"), "#!/bin/sh\n");
    chmodSync(join(hooks, "h", "x.sh"), 0o775);
    expect(told(checkRules(hooks))).toMatch(/^failed: a\.yaml:3: .* -> chmod go-w \/d\d+\/h\/x\.sh$/);
  });

  test.skipIf(!IS_ROOT)("A3: a rule file of another user: the command that changes its owner", () => {
    const dir = directory();
    writeFileSync(join(dir, "a.yaml"), rule("a"), { mode: 0o644 });
    chownSync(join(dir, "a.yaml"), 12_345, 0);
    expect(told(checkRules(dir))).toMatch(/is owned by uid 12345, .* -> chown root \/d\d+\/a\.yaml$/);
  });
});

test("checkKernel: this machine has all of it, or each that it lacks has a remedy", () => {
  const checks = checkKernel();
  expect(checks.length).toBeGreaterThan(0);
  for (const check of checks) expect(check.outcome === "ok").toBe(check.remedy === null);
});

describe("checkDocker", () => {
  const nowhere = () => join(directory(), "docker.sock");

  test("no engine where one is asked for", async () => {
    for (const [source, isGiven] of [["docker", false], ["auto", true]] as const) {
      expect(told(await checkDocker({ socketPath: nowhere(), isGiven, source }))).toMatch(
        /^failed: .*engine does not answer.* -> start the engine, /,
      );
    }
  });

  test.each(["cgroup", "namespace"])("not used with %s", async (source) => {
    expect(told(await checkDocker({ socketPath: nowhere(), isGiven: false, source }))).toBe(
      `ok: not used: containers are known by ${source}`,
    );
  });
});

test("checkBridge: none, a missing one with and without a daemon, a device that is none", () => {
  expect(checkBridge("none", false).outcome).toBe("ok");
  expect(told(checkBridge("outcall-gone", true))).toBe('failed: "outcall-gone" is missing -> outcall bridge up');
  expect(told(checkBridge("outcall-gone", false))).toMatch(
    /^warning: "outcall-gone" is missing -> start outcalld with CAP_NET_ADMIN/,
  );
  expect(checkBridge("lo", true).outcome).toBe("failed");
});

describe("checkClock", () => {
  const at = (ms: number) => ({ now: () => new Date(ms) });
  const now = Date.now();

  test("a clock that goes, one that has never been set", () => {
    expect(checkClock(at(now), directory()).outcome).toBe("ok");
    expect(checkClock(at(now), `${parent}/gone`).outcome).toBe("ok");
    expect(checkClock(at(NOT_BEFORE_MS), `${parent}/gone`).outcome).toBe("ok");
    expect(told(checkClock(at(NOT_BEFORE_MS - 1), directory()))).toMatch(
      /^failed: the clock says 2025-12-31T.* -> timedatectl /,
    );
  });

  test("a file from the future: a minute is no matter", () => {
    const dir = directory();
    const second = 1_000;
    const file = join(dir, "a.yaml");
    writeFileSync(file, "");
    symlinkSync("gone", join(dir, "dangling"));
    const start = Math.floor(now / second) * second;
    utimesSync(file, start / second, (start + AHEAD_MS) / second);
    expect(checkClock(at(start), dir).outcome).toBe("ok");
    utimesSync(file, start / second, (start + AHEAD_MS + second) / second);
    expect(told(checkClock(at(start), dir))).toMatch(
      /^warning: the clock says .*, but "\/d\d+\/a\.yaml" was changed at .* -> timedatectl /,
    );
  });
});

test("shellPath: which paths need quotes in a shell, and which do not", () => {
  expect(["/run/outcall", "/a b", "/it's"].map(shellPath)).toEqual(["/run/outcall", "'/a b'", "'/it'\\''s'"]);
});
