import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CgroupMount, mountOf, parseCgroupMounts } from "../../src/container/cgroup-mount.ts";
import {
  CGROUPS_IN_CONTAINER,
  earliestProcess,
  hasContainerLayout,
  PROCESSES_IN_CONTAINER,
} from "../../src/container/cgroup-tree.ts";
import { cgroupFinder, verifyCgroups } from "../../src/container/cgroup.ts";
import { processAt } from "../../src/container/first-process.ts";
import { type CgroupLine, parseCgroup } from "../../src/peer/proc.ts";
import { FUZZ_SEED, fuzzTexts } from "../support/container/fuzz.ts";
import { end, startIdle } from "../support/container/peer.ts";

const ID = "a1".repeat(32);
const OWN_UID = process.getuid?.() ?? -1;
// Above the largest pid of any kernel.
const NO_PID = 2 ** 22 + 1;
const NEVER = new AbortController().signal;

// A directory that stands in for a mounted hierarchy; in memory if possible, because the tests create many.
const BASE = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(BASE, "outcall-cgroup-"));
  chmodSync(root, 0o755);
  cgroup("/");
});

afterEach(() => rmSync(root, { recursive: true }));

function cgroup(path: string, pids: readonly number[] = []): string {
  const directory = join(root, path);
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  for (let next = directory; next.length > root.length; next = dirname(next)) chmodSync(next, 0o755);
  writeFileSync(join(directory, "cgroup.procs"), pids.map((pid) => `${pid}\n`).join(""), { mode: 0o644 });
  return directory;
}

function lines(text: string): readonly CgroupLine[] {
  const parsed = parseCgroup(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe("parseCgroupMounts", () => {
  const cases: readonly (readonly [note: string, line: string, mount: CgroupMount | undefined])[] = [
    ["version 2", "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw", {
      path: "/sys/fs/cgroup/unified",
      controllers: null,
    }],
    ["version 1", "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:1 master:2 - cgroup cgroup rw,cpu,cpuacct", {
      path: "/sys/fs/cgroup/cpu",
      controllers: ["rw", "cpu", "cpuacct"],
    }],
    ["a name with a space", "41 31 0:38 / /mnt/a\\040b rw - cgroup2 none rw", { path: "/mnt/a b", controllers: null }],
    ["a part of a hierarchy", "41 31 0:38 /docker/x /sys/fs/cgroup rw - cgroup2 cgroup2 rw", undefined],
    ["another file system", "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755", undefined],
    ["a source that imitates a type", "31 23 0:28 / /x rw - tmpfs cgroup2 rw", undefined],
    ["nothing", "", undefined],
    ["half a line", "41 31 0:38 /", undefined],
  ];
  test.each(cases)("%s", (_note, line, mount) => {
    expect(parseCgroupMounts(`${line}\n`)).toEqual(mount === undefined ? [] : [mount]);
  });

  test(`gives a list for any text (seed ${FUZZ_SEED})`, () => {
    fuzzTexts(cases.map(([, line]) => line), (text) => expect(Array.isArray(parseCgroupMounts(text))).toBe(true));
  });
});

describe("mountOf", () => {
  const two: CgroupMount = { path: "/two", controllers: null };
  const cpu: CgroupMount = { path: "/cpu", controllers: ["rw", "cpu", "cpuacct"] };
  const named: CgroupMount = { path: "/systemd", controllers: ["rw", "name=systemd"] };
  const cases: readonly (readonly [note: string, line: string, mount: CgroupMount | undefined])[] = [
    ["version 2", "0::/", two],
    ["controllers together", "3:cpu,cpuacct:/", cpu],
    ["a named hierarchy", "1:name=systemd:/", named],
    ["a controller that is not mounted", "4:memory:/", undefined],
    ["a controller of several, one not mounted there", "4:cpu,memory:/", undefined],
    ["a hierarchy without controllers or name", "4::/", undefined],
  ];
  test.each(cases)("%s", (_note, line, mount) => {
    const [parsed] = lines(line);
    expect(parsed && mountOf(parsed, [two, cpu, named])).toEqual(mount);
  });
});

describe("verifyCgroups", () => {
  const path = `/docker/${ID}`;
  const verify = (text: string, owners = [OWN_UID]) => {
    return verifyCgroups({ mounts: [{ path: root, controllers: null }], owners }, lines(text), 7);
  };
  const changed = { ok: false, error: "the container's cgroup can be changed by others" } as const;

  test("gives the directory of the container that holds the process", () => {
    cgroup(path, [6, 7]);
    expect(verify(`0::${path}`)).toEqual({ ok: true, value: join(root, path) });
  });

  test("gives the container's directory for a process below it, whatever user owns the directories below", () => {
    cgroup(path);
    chmodSync(cgroup(`${path}/sub`, [7]), 0o777);
    expect(verify(`0::${path}/sub`)).toEqual({ ok: true, value: join(root, path) });
  });

  const holds: readonly (readonly [note: string, pids: readonly number[]])[] = [
    ["holds nothing", []],
    ["holds others", [70, 17, 77]],
  ];
  test.each(holds)("refuses a cgroup that %s", (_note, pids) => {
    cgroup(path, pids);
    expect(verify(`0::${path}`)).toEqual({ ok: false, error: "the container's cgroup does not hold the process" });
  });

  const spoilt: readonly (readonly [note: string, spoil: () => void])[] = [
    ["is not there", () => rmSync(join(root, path), { recursive: true })],
    ["others may write", () => chmodSync(join(root, path), 0o757)],
    ["its group may write", () => chmodSync(join(root, path), 0o775)],
    ["has a parent that others may write", () => chmodSync(join(root, "docker"), 0o777)],
    ["is at a mount that others may write", () => chmodSync(root, 0o777)],
    ["takes processes from others", () => chmodSync(join(root, path, "cgroup.procs"), 0o666)],
    ["takes tasks from others", () => {
      writeFileSync(join(root, path, "tasks"), "");
      chmodSync(join(root, path, "tasks"), 0o666);
    }],
    ["is a link", () => {
      rmSync(join(root, path), { recursive: true });
      symlinkSync(cgroup("/elsewhere", [7]), join(root, path));
    }],
  ];
  test.each(spoilt)("refuses a cgroup that %s", (_note, spoil) => {
    cgroup(path, [7]);
    spoil();
    expect(verify(`0::${path}`)).toEqual(changed);
  });

  test("refuses a cgroup of another owner, and takes it when that owner is named", () => {
    cgroup(path, [7]);
    expect(verify(`0::${path}`, [OWN_UID + 1])).toEqual(changed);
    expect(verify(`0::${path}`, [OWN_UID + 1, OWN_UID]).ok).toBe(true);
  });

  test("refuses a path that leaves the mount", () => {
    cgroup(path, [7]);
    expect(verify(`0::/../${ID}`)).toEqual(changed);
  });

  test("refuses when one hierarchy of several does not bear it out", () => {
    cgroup(path, [7]);
    const mounts = [{ path: root, controllers: null }, { path: join(root, "none"), controllers: ["cpu"] }];
    const found = verifyCgroups({ mounts, owners: [OWN_UID] }, lines(`0::${path}\n1:cpu:${path}`), 7);
    expect(found).toEqual(changed);
  });

  test("refuses when no hierarchy that names the container is mounted", () => {
    cgroup(path, [7]);
    expect(verify(`1:cpu:${path}`)).toEqual({ ok: false, error: "no hierarchy that names the container is mounted" });
  });
});

describe("earliestProcess", () => {
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) await end(child);
  });

  test("finds the process that started first, including cgroups below", async () => {
    for (let count = 0; count < 2; count++) children.push(await startIdle());
    const [first = 0, second = 0] = children.map((child) => child.pid ?? 0);
    cgroup("/a", [second]);
    cgroup("/a/b/c", [process.pid]);
    cgroup("/a/b", [first]);
    expect(await earliestProcess(join(root, "a"), NEVER)).toEqual(processAt(process.pid));
  });

  test("finds none in an empty cgroup, among ended processes, or when it is given up", async () => {
    const child = await startIdle();
    cgroup("/a", []);
    expect(await earliestProcess(join(root, "a"), NEVER)).toBeUndefined();
    cgroup("/a", [child.pid ?? 0]);
    expect(await earliestProcess(join(root, "a"), AbortSignal.abort())).toBeUndefined();
    await end(child);
    expect(await earliestProcess(join(root, "a"), NEVER)).toBeUndefined();
  });

  test("stops at the largest number of cgroups that a container may have", async () => {
    cgroup("/a", [process.pid]);
    for (let count = 1; count < CGROUPS_IN_CONTAINER; count++) {
      mkdirSync(join(root, "a", String(count)));
      writeFileSync(join(root, "a", String(count), "cgroup.procs"), "");
    }
    expect(await earliestProcess(join(root, "a"), NEVER)).toEqual(processAt(process.pid));
    cgroup("/a/more");
    expect(await earliestProcess(join(root, "a"), NEVER)).toBeUndefined();
  });
});

test("earliestProcess stops at the largest number of processes that a container may have", async () => {
  const beyond = Array.from({ length: PROCESSES_IN_CONTAINER - 1 }, () => NO_PID);
  cgroup("/a", [...beyond, process.pid]);
  expect(await earliestProcess(join(root, "a"), NEVER)).toEqual(processAt(process.pid));
  cgroup("/a", [process.pid, ...beyond, NO_PID]);
  expect(await earliestProcess(join(root, "a"), NEVER)).toBeUndefined();
});

describe("hasContainerLayout", () => {
  const cases: readonly (readonly [note: string, path: string, has: boolean])[] = [
    ["nothing", "/", false],
    ["docker's, without containers", "/docker", true],
    ["podman's, without containers", "/libpod_parent", true],
    ["a container within slices", `/a.slice/b.slice/c.slice/docker-${ID}.scope`, true],
    ["a container's name too deep to be one", `/1/2/3/4/5/6/${ID}`, false],
    ["32 digits", `/process_api/${ID.slice(32)}`, false],
    ["docker's name elsewhere", "/user.slice/docker", false],
  ];
  test.each(cases)("%s", (_note, path, has) => {
    cgroup(path);
    expect(hasContainerLayout(root)).toBe(has);
  });
});

describe("cgroupFinder", () => {
  const finder = () => cgroupFinder({ mounts: [{ path: root, controllers: null }], owners: [OWN_UID] });

  test("gives the id, its short form as name, and the first process", async () => {
    cgroup(`/docker/${ID}`, [process.pid]);
    const found = await finder().find(process.pid, `0::/docker/${ID}\n`, NEVER);
    const first = processAt(process.pid);
    expect(found).toMatchObject({ ok: true, value: { first, container: { id: ID, name: `ctr-${ID.slice(0, 12)}` } } });
    expect(found.ok && found.value.container.instance).toBe(`${ID}:${first?.startTime}`);
  });

  test("refuses a container whose first process cannot be found", async () => {
    cgroup(`/docker/${ID}`);
    cgroup(`/docker/${ID}/sub`, [NO_PID]);
    const found = await finder().find(NO_PID, `0::/docker/${ID}/sub\n`, NEVER);
    expect(found).toMatchObject({ ok: false, error: { code: "container.unknown" } });
  });

  test("reads the evidence of a running process", () => {
    const evidence = finder().readEvidence(process.pid);
    expect(evidence.ok && parseCgroup(evidence.value).ok).toBe(true);
  });
});
