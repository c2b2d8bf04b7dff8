// A table of listeners -> served sockets, which a stack closes.
import type { Socket } from "node:net";
import { dirname } from "node:path";
import { statSync } from "node:fs";
import type { Container } from "../container/container.ts";
import type { Problem } from "../core/problem.ts";
import { ok, type Result } from "../core/result.ts";
import type { Log } from "../log/logger.ts";
import { identifyPeer } from "../peer/accept.ts";
import { release } from "../peer/pin.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import { HttpServer } from "./http-server.ts";
import { listen } from "./listen.ts";
import type { Listener } from "./listener.ts";
import { makeDirectory } from "./make-directory.ts";
import type { ReportBug } from "./mount.ts";

/** The parts that all sockets share. */
export type Serving = {
  readonly limits: ConnectionLimits;
  readonly log: Log;
  readonly reportBug: ReportBug;
  /** The time for requests in flight when the sockets close, in milliseconds. */
  readonly graceMs: number;
};

/**
 * Listens at each socket in the order of the rows. The stack closes them: first requests in flight are answered, then the files
 * of the sockets are removed, so that until then no other daemon can take their place.
 */
export async function serve(
  stack: AsyncDisposableStack,
  listeners: readonly Listener[],
  serving: Serving,
): Promise<Result<null, Problem>> {
  const servers: HttpServer[] = [];
  for (const listener of listeners) {
    const { path, mode, directoryMode, gid, handle } = listener;
    const server = new HttpServer({ handle, reportBug: serving.reportBug });
    const made = makeDirectory({ socketPath: path, mode: directoryMode, gid });
    if (!made.ok) return made;
    const onConnection = (socket: Socket) => accept(server, listener, serving.limits, socket);
    const onError = (cause: Error) => serving.log.error("socket.error", { socket: path, reason: cause.message });
    const bound = await listen({ path, mode, gid, onConnection, onError });
    if (!bound.ok) return bound;
    stack.defer(bound.value.close);
    servers.push(server);
    warnOfClosedDirectory(listener, serving.log);
  }
  stack.defer(async () => void await Promise.all(servers.map((server) => server.close(serving.graceMs))));
  return ok(null);
}

// An existing directory may keep a mode that locks the group out; the group then cannot use the socket in it.
function warnOfClosedDirectory({ path, gid }: Listener, log: Log): void {
  if (gid === null) return;
  const directory = dirname(path);
  const stats = statSync(directory);
  const isOpen = (stats.mode & 0o001) !== 0 || (stats.gid === gid && (stats.mode & 0o010) !== 0);
  if (!isOpen) log.warning("socket.group", { socket: path, reason: `the group cannot enter ${directory}` });
}

// The kernel names the peer before a byte is read. The pinned process is released when the connection closes.
function accept(server: HttpServer, listener: Listener, limits: ConnectionLimits, socket: Socket): void {
  if (!limits.admit(socket, listener)) return;
  const peer = identifyPeer(socket, { groups: listener.gid !== null });
  if (peer.ok) socket.once("close", () => release(peer.value.process));
  const countFor = (container: Container) => limits.countFor(socket, container);
  server.accept(socket, { peer, countFor });
  if (peer.ok && listener.identify !== null) void countForContainer(limits, socket, listener.identify(peer.value));
}

// If the look-up fails at accept, the connection is counted when its first request is identified.
async function countForContainer(
  limits: ConnectionLimits,
  socket: Socket,
  identified: Promise<Result<Container, Problem>>,
): Promise<void> {
  const container = await identified;
  if (container.ok && !limits.countFor(socket, container.value)) limits.refuseFor(socket, container.value);
  // Peers that may not check in must not take the connections of those that may.
  const isUnknown = !container.ok && container.error.code === "container.unknown";
  if (isUnknown && !limits.countWithoutContainer(socket)) limits.refuseFor(socket, undefined);
}
