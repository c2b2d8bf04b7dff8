// Each check of `outcall doctor`: what it finds, whether that keeps the daemon from working, and what it says to do.
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
function directory(mode = 0o755): string {
  const dir = join(parent, `d${made++}`);
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

const host = (path: string) => checkSocket({ name: "host socket", path, mode: 0o600, directoryMode: 0o700 });
const agent = (path: string) => checkSocket({ name: "agent socket", path, mode: 0o666, directoryMode: 0o755 });

/** What is told of a check, the directory of the tests left out. */
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
    ["no directory yet", () => `${directory()}/new`, /^ok: "\/d\d+\/new" is not there yet, outcalld makes it$/],
    [
      "nothing above it",
      () => `${parent}/no/thing`,
      /^failed: neither "\/no\/thing" .* -> mkdir -p -m 0755 \/no\/thing$/,
    ],
    [
      "others may write",
      () => directory(0o777),
      /^failed: .* may be written by group or others .* -> chown root .* && chmod go-w /,
    ],
    ["ordinary users do not get there", () => directory(0o700), /^warning: .* do not get to it -> chmod go\+rx /],
  ];
  test.each(cases)("%s", (_note, make, expected) => expect(told(agent(join(make(), "s.sock")))).toMatch(expected));

  test("the host's directory is the operator's alone, so that is no warning", () => {
    expect(host(join(directory(0o700), "s.sock")).outcome).toBe("ok");
  });

  test("something else at its path, and a file for its directory", () => {
    const dir = directory();
    writeFileSync(join(dir, "s.sock"), "");
    expect(told(agent(join(dir, "s.sock")))).toMatch(/^failed: .* is no socket -> remove /);
    expect(told(agent(join(dir, "s.sock", "s.sock")))).toMatch(/^failed: .* is no directory -> remove /);
  });

  test.skipIf(!IS_ROOT)("another owner", () => {
    const dir = directory();
    chownSync(dir, 12_345, 0);
    expect(told(agent(join(dir, "s.sock")))).toMatch(/^failed: .* is owned by uid 12345, .* -> chown root /);
  });
});

test("checkStateDir: there with room, not there yet, for others to write", () => {
  expect(told(checkStateDir(directory(0o700)))).toMatch(/^ok: "\/d\d+", mode 0700, \d+ MiB left$/);
  expect(told(checkStateDir(join(directory(), "state")))).toMatch(/^ok: .* is not there yet, outcalld makes it$/);
  expect(checkStateDir(directory(0o770)).outcome).toBe("failed");
});

describe("checkRules", () => {
  const rule = (id: string) => `version: "1"\nrules:\n  - {id: ${id}, condition: dns.query == "x", action: block}\n`;
  const cases: readonly (readonly [note: string, files: Record<string, string>, told: RegExp])[] = [
    ["rules", { "a.yaml": rule("a") }, /^ok: "\/d\d+": 1 files, 1 rules$/],
    [
      "warnings",
      { "a.yaml": rule("a").replace('dns.query == "x"', "1 == 2") },
      /^ok: .* 1 rules, 1 warnings \(outcall lint .*\)$/,
    ],
    ["none", {}, /^warning: .* has no rules: everything is blocked -> put rule files/],
    ["an error", { "a.yaml": "version: 1\n" }, /^failed: a\.yaml:1: version must be .* -> outcall lint \/d\d+$/],
    [
      "errors",
      { "a.yaml": "version: 1\n", "b.yaml": rule("b") + rule("b") },
      /^failed: a\.yaml:1: .*, and \d+ more -> /,
    ],
  ];
  test.each(cases)("%s", (_note, files, expected) => {
    const dir = directory();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text, { mode: 0o644 });
    expect(told(checkRules(dir))).toMatch(expected);
  });

  test("no directory, and one that others may write", () => {
    expect(told(checkRules(`${parent}/gone`))).toBe('failed: "/gone" is not there -> mkdir -p -m 0755 /gone');
    expect(told(checkRules(directory(0o777)))).toMatch(/^failed: rules directory .* may be written by group or others/);
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
    expect(told(await checkDocker(nowhere(), "docker"))).toMatch(
      /^failed: .*engine does not answer.* -> start the engine, /,
    );
  });

  test.each(["cgroup", "namespace"])("not used with %s", async (source) => {
    expect(told(await checkDocker(nowhere(), source))).toBe(`ok: not used: containers are known by ${source}`);
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
      /^failed: it is 2025-12-31T.* -> timedatectl /,
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
      /^warning: it is .*, and "\/d\d+\/a\.yaml" is of .* -> timedatectl /,
    );
  });
});

test("shellPath: what a shell takes as it stands, and what needs quotes", () => {
  expect(["/run/outcall", "/a b", "/it's"].map(shellPath)).toEqual(["/run/outcall", "'/a b'", "'/it'\\''s'"]);
});
