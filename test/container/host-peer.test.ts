import { afterEach, describe, expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkHostPeer, HOST_PEER_FORBIDDEN } from "../../src/container/host-peer.ts";
import { identifyPeer } from "../../src/peer/accept.ts";
import { BUN, CLIENT, missingRoot, requirement, ROOT } from "../support/container/container.ts";
import { hostCgroup, type TestCgroup } from "../support/container/cgroup.ts";
import { end, peerOf, startIdle, withAccepted } from "../support/container/peer.ts";
import {
  asUser,
  firstPidOf,
  missingUserNamespaces,
  ORDINARY_UID,
  startInNamespace,
} from "../support/host/namespace.ts";
import type { Talker } from "../support/container/container.ts";

const OWN_UID = process.getuid?.() ?? -1;
const PROGRAM = join(ROOT, "test", "support", "container", "host-peer.ts");

const children: ChildProcess[] = [];
const talkers: Talker[] = [];
const cgroups: TestCgroup[] = [];

async function idle(): Promise<ChildProcess> {
  const child = await startIdle();
  children.push(child);
  return child;
}

afterEach(async () => {
  for (const talker of talkers.splice(0)) await talker.stop();
  for (const child of children.splice(0)) await end(child);
  for (const cgroup of cgroups.splice(0)) cgroup.remove();
});

function forbidden(detail: string) {
  return { ok: false, error: { code: "daemon.forbidden", message: HOST_PEER_FORBIDDEN, cause: { detail } } };
}

// The check of one process, run as another user.
function askAs(uid: number, pid: number, peerUid: number): unknown {
  const [program = "", ...argv] = [...asUser(uid), BUN, PROGRAM, String(pid), String(peerUid)];
  return JSON.parse(spawnSync(program, argv).stdout.toString());
}

describe("checkHostPeer", () => {
  test("lets the daemon's own user in", async () => {
    await withAccepted((socket) => {
      const peer = identifyPeer(socket);
      if (!peer.ok) throw new Error(peer.error.message);
      expect(checkHostPeer(peer.value, { ownUid: OWN_UID, operatorsGid: null })).toEqual({ ok: true, value: "write" });
    });
  });

  test("lets root in", async () => {
    const peer = peerOf(await idle());
    expect(
      checkHostPeer({ ...peer, credentials: { ...peer.credentials, uid: 0 } }, { ownUid: 4_711, operatorsGid: null }),
    ).toEqual({
      ok: true,
      value: "write",
    });
  });

  test("refuses another user", async () => {
    const peer = peerOf(await idle());
    const other = { ...peer, credentials: { ...peer.credentials, uid: 4_712 } };
    expect(checkHostPeer(other, { ownUid: 4_711, operatorsGid: null })).toMatchObject(
      forbidden("neither root nor the daemon's user"),
    );
  });

  test("refuses a process that has ended", async () => {
    const child = await idle();
    const peer = peerOf(child);
    await end(child);
    expect(checkHostPeer(peer, { ownUid: OWN_UID, operatorsGid: null })).toMatchObject({
      ok: false,
      error: { code: "daemon.forbidden" },
    });
  });
});

const namespaces = requirement("checkHostPeer and namespaces", missingUserNamespaces());
describe.skipIf(namespaces.skip)(namespaces.label, () => {
  test("refuses a process in another pid namespace", async () => {
    const container = startInNamespace([BUN, CLIENT, "idle"], { uid: ORDINARY_UID });
    talkers.push(container);
    await container.hear();
    const pid = firstPidOf(container);
    expect(askAs(ORDINARY_UID, pid, ORDINARY_UID)).toMatchObject(forbidden("another pid namespace"));
  });

  test("refuses a process in another user namespace", async () => {
    const [program = "", ...argv] = [...asUser(ORDINARY_UID), "unshare", "-U", "-r", BUN, CLIENT, "idle"];
    const child = spawn(program, argv, { stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(askAs(ORDINARY_UID, child.pid ?? 0, ORDINARY_UID)).toMatchObject(forbidden("another user namespace"));
  });
});

const root = requirement("checkHostPeer and root", missingRoot());
describe.skipIf(root.skip)(root.label, () => {
  test("lets root use the daemon of an ordinary user, although that daemon cannot read root's /proc links", async () => {
    const child = await idle();
    expect(askAs(ORDINARY_UID, child.pid ?? 0, 0)).toEqual({ ok: true, value: "write" });
  });

  test("refuses root's containers at an ordinary user's daemon", async () => {
    const container = startInNamespace([BUN, CLIENT, "idle"]);
    talkers.push(container);
    await container.hear();
    expect(askAs(ORDINARY_UID, firstPidOf(container), 0)).toMatchObject(forbidden("another pid namespace"));
  });

  test("refuses a user namespace that root made, at an ordinary user's daemon", async () => {
    const child = spawn("unshare", ["-U", "-r", BUN, CLIENT, "idle"], { stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    await new Promise((resolve) => child.stdout.once("data", resolve));
    expect(readFileSync(`/proc/${child.pid}/uid_map`, "utf8").trim().split(/\s+/)).toEqual(["0", "0", "1"]);
    expect(askAs(ORDINARY_UID, child.pid ?? 0, 0)).toMatchObject(forbidden("another user namespace"));
  });

  const names: readonly (readonly [note: string, name: string])[] = [
    ["docker", "a1".repeat(32)],
    ["podman", `libpod-${"a1".repeat(32)}.scope`],
    ["kubernetes", `cri-containerd-${"a1".repeat(32)}.scope`],
  ];
  test.each(names)("refuses a cgroup that names a container of %s", async (_note, name) => {
    const child = await idle();
    const cgroup = hostCgroup(`outcall-host-${process.pid}/${name}`);
    cgroups.push(cgroup);
    cgroup.hold(child.pid ?? 0);
    expect(checkHostPeer(peerOf(child), { ownUid: OWN_UID, operatorsGid: null })).toMatchObject(
      forbidden("a cgroup named like a container's"),
    );
  });
});
