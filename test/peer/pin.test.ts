import { afterEach, describe, expect, test } from "bun:test";
import type { ChildProcess } from "node:child_process";
import { closeSync, openSync, readlinkSync } from "node:fs";
import net from "node:net";
import { release as kernelRelease } from "node:os";
import { identifyPeer } from "../../src/peer/accept.ts";
import { readCredentials, socketDescriptor } from "../../src/peer/credentials.ts";
import { type Libc, libc } from "../../src/peer/ffi.ts";
import { hasPeerPidfd, isAlive, isUnchanged, Pidfd, pinByPid, release } from "../../src/peer/pin.ts";
import { CHECKIN_REJECTED } from "../../src/peer/rejection.ts";
import { checkOwnProc } from "../../src/peer/self.ts";
import { end, startIdle, withAccepted } from "../support/container/peer.ts";

const [MAJOR = 0, MINOR = 0] = kernelRelease().split(".").map(Number);
const KERNEL_HAS_PIDFD = MAJOR > 6 || (MAJOR === 6 && MINOR >= 5);

const children: ChildProcess[] = [];

async function idle(): Promise<ChildProcess> {
  const child = await startIdle();
  children.push(child);
  return child;
}

function calls(): Libc {
  const bound = libc();
  if (!bound.ok) throw new Error(bound.error.message);
  return bound.value;
}

afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
});

test("libc is bound once", () => expect(libc()).toBe(libc()));

test("checkOwnProc accepts the /proc of the tests", () => expect(checkOwnProc()).toEqual({ ok: true, value: null }));

describe("readCredentials", () => {
  test("names this process for a connection of its own", async () => {
    const credentials = await withAccepted(readCredentials);
    expect(credentials).toEqual({
      ok: true,
      value: { pid: process.pid, uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 },
    });
  });

  test("refuses a closed connection", async () => {
    const credentials = await withAccepted((socket) => readCredentials(socket.destroy()));
    expect(credentials).toMatchObject({ ok: false, error: { code: "peer.unidentified" } });
  });

  test("refuses a socket that was never connected", () => {
    expect(readCredentials(new net.Socket())).toMatchObject({ ok: false, error: { code: "peer.unidentified" } });
  });

  test("refuses a connection that is no Unix socket's", async () => {
    const server = net.createServer();
    const accepted = new Promise<net.Socket>((resolve) => server.once("connection", resolve));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const client = net.connect(typeof address === "object" && address !== null ? address.port : 0, "127.0.0.1");
    const socket = await accepted;
    expect(readCredentials(socket)).toMatchObject({ ok: false, error: { message: "peer has no credentials" } });
    client.destroy();
    socket.destroy();
    server.close();
  });
});

describe("identifyPeer", () => {
  test("pins this process for a connection of its own, until it is released", async () => {
    await withAccepted((socket) => {
      const peer = identifyPeer(socket);
      if (!peer.ok) throw new Error(peer.error.message);
      const { process: pinned } = peer.value;
      expect(pinned.pid).toBe(process.pid);
      expect(isAlive(pinned)).toBe(true);
      expect(isUnchanged(pinned)).toBe(true);
      release(pinned);
      expect(isAlive(pinned)).toBe(pinned.pidfd === null);
    });
  });

  test("leaves no descriptor behind once released", async () => {
    await withAccepted((socket) => {
      const before = lowestFreeDescriptor();
      const peer = identifyPeer(socket);
      if (!peer.ok) throw new Error(peer.error.message);
      release(peer.value.process);
      expect(lowestFreeDescriptor()).toBe(before);
    });
  });
});

describe("pinByPid", () => {
  test("tells a running process from an ended one", async () => {
    const child = await idle();
    const pinned = pinByPid(child.pid ?? 0, null);
    if (!pinned.ok) throw new Error(pinned.error.message);
    expect(isAlive(pinned.value)).toBe(true);
    expect(isUnchanged(pinned.value)).toBe(true);
    await end(child);
    expect(isAlive(pinned.value)).toBe(false);
    expect(isUnchanged(pinned.value)).toBe(false);
  });

  test("refuses a process that has ended, in words that do not name it", async () => {
    const child = await idle();
    await end(child);
    const pinned = pinByPid(child.pid ?? 0, null);
    expect(pinned).toMatchObject({ ok: false, error: { code: "container.unknown", message: CHECKIN_REJECTED } });
    expect(!pinned.ok && pinned.error.cause).toMatchObject({ pid: child.pid });
  });

  test("tells a process from a later one with its pid", async () => {
    const child = await idle();
    const pinned = pinByPid(child.pid ?? 0, null);
    if (!pinned.ok) throw new Error(pinned.error.message);
    expect(isAlive({ ...pinned.value, startTime: pinned.value.startTime - 1 })).toBe(false);
    expect(isUnchanged({ ...pinned.value, startTime: pinned.value.startTime + 1 })).toBe(false);
  });

  test.skipIf(!KERNEL_HAS_PIDFD)("refuses a pidfd of another process, and closes it", async () => {
    await withAccepted(async (socket) => {
      const own = identifyPeer(socket);
      const pidfd = own.ok ? own.value.process.pidfd : null;
      const child = await idle();
      expect(pidfd?.isAlive()).toBe(true);
      expect(pinByPid(child.pid ?? 0, pidfd)).toMatchObject({ ok: false });
      expect(pidfd?.isAlive()).toBe(false);
    });
  });
});

describe("Pidfd", () => {
  test("does not close a descriptor that took its number", () => {
    const first = openSync("/dev/null", "r");
    const pidfd = new Pidfd(calls(), first);
    pidfd.close();
    const second = openSync("/proc/self/stat", "r");
    pidfd.close();
    expect(readlinkSync(`/proc/self/fd/${second}`)).toEndWith("/stat");
    expect(second).toBe(first);
    closeSync(second);
  });

  test("polls again if a signal interrupted the poll", () => {
    const answers = [-1, -1, 0];
    const calls = { ...bound(), poll: () => answers.shift() ?? 1 };
    expect(new Pidfd(calls, 1_000_000).isAlive()).toBe(true);
    expect(new Pidfd(calls, 1_000_000).isAlive()).toBe(false);
  });

  test("counts as ended when it cannot be polled", () => expect(new Pidfd(calls(), 1_000_000).isAlive()).toBe(false));

  test("gives no pid for a descriptor of something else", () => {
    const file = openSync("/dev/null", "r");
    expect(new Pidfd(calls(), file).readPid()).toMatchObject({ ok: false });
    closeSync(file);
  });
});

describe("hasPeerPidfd", () => {
  const none = () => -1;
  test.skipIf(!KERNEL_HAS_PIDFD)("says so where the kernel has it", () => expect(hasPeerPidfd(calls())).toBe(true));

  const cases: readonly (readonly [note: string, fake: Partial<Libc>, has: boolean])[] = [
    ["the kernel does not have it", { getsockopt: none }, false],
    ["no descriptor is left for a pair, so it cannot be known", { socketpair: none, getsockopt: none }, true],
  ];
  test.each(cases)("%s", (_note, fake, has) => expect(hasPeerPidfd({ ...bound(), ...fake })).toBe(has));

  test("no descriptor is left for the answer, so it cannot be known yet", () => {
    let pairs = 0;
    const real = bound();
    const fake: Libc = {
      ...real,
      getsockopt: none,
      socketpair: (...args) => (++pairs === 1 ? real.socketpair(...args) : -1),
    };
    expect(hasPeerPidfd(fake)).toBe(true);
    pairs = -1;
    expect(hasPeerPidfd(fake)).toBe(true);
  });
});

// A separate set of bindings, which asks the kernel again.
function bound(): Libc {
  const { getsockopt, socketpair, poll, open, ioctl, flock, socket, sendto, recv, close } = calls();
  return { getsockopt, socketpair, poll, open, ioctl, flock, socket, sendto, recv, close };
}

function lowestFreeDescriptor(): number {
  const fd = openSync("/dev/null", "r");
  closeSync(fd);
  return fd;
}

test("socketDescriptor gives the number of an open connection", async () => {
  const link = await withAccepted((socket) => {
    const fd = socketDescriptor(socket);
    return fd.ok ? readlinkSync(`/proc/self/fd/${fd.value}`) : "";
  });
  expect(link).toStartWith("socket:[");
});
