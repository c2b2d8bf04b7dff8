// Peers for tests: processes of the test itself, pinned like the peer of an accepted connection.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Peer } from "../../../src/peer/peer.ts";
import { pinByPid } from "../../../src/peer/pin.ts";

/** Starts a process that does nothing until it is ended. */
export async function startIdle(): Promise<ChildProcess> {
  const child = spawn("sleep", ["1000000"], { stdio: "ignore" });
  await once(child, "spawn");
  return child;
}

/** Ends a process and waits until it is reaped. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

/** A peer for this process, pinned by its start time. */
export function peerOf(child: ChildProcess): Peer {
  const pid = child.pid ?? 0;
  const pinned = pinByPid(pid, null);
  if (!pinned.ok) throw new Error(pinned.error.message);
  return { credentials: { pid, uid: 0, gid: 0 }, process: pinned.value };
}

/** Calls `use` with the accepted side of a connection that this process, or `argv`, makes to a new socket. */
export async function withAccepted<T>(use: (socket: net.Socket) => T | Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), "outcall-peer-"));
  const path = join(dir, "socket");
  const server = net.createServer();
  const listening = once(server, "listening");
  server.listen(path);
  await listening;
  const accepted: Promise<net.Socket[]> = once(server, "connection");
  const client = net.connect(path);
  const [socket] = await accepted;
  if (socket === undefined) throw new Error("no connection");
  try {
    return await use(socket);
  } finally {
    client.destroy();
    socket.destroy();
    server.close();
    rmSync(dir, { recursive: true });
  }
}
