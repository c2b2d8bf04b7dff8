// Socket -> credentials: SO_PEERCRED of an accepted connection. They belong to the process that connected. Another process
// may hold the descriptor now, so callers also pin the process.
import type { Socket } from "node:net";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { libc } from "./ffi.ts";
import type { PeerCredentials } from "./peer.ts";
import { SO_PEERCRED, SO_PEERGROUPS, SOL_SOCKET } from "./socket-options.ts";

const GID_BYTES = 4;
/** Room for the groups of most users, and the kernel's own limit (credentials(7)). */
const USUAL_GROUPS = 64;
const NGROUPS_MAX = 65_536;
/** `struct ucred`: pid, uid, gid, four bytes each. */
const UCRED_BYTES = 12;

/** Reads the credentials of the process that connected. */
export function readCredentials(socket: Socket): Result<PeerCredentials, Problem> {
  const fd = socketDescriptor(socket);
  if (!fd.ok) return fd;
  const calls = libc();
  if (!calls.ok) return calls;
  const value = new Uint8Array(UCRED_BYTES);
  const length = new Uint8Array(Uint32Array.of(UCRED_BYTES).buffer);
  const status = calls.value.getsockopt(fd.value, SOL_SOCKET, SO_PEERCRED, value, length);
  if (status !== 0 || new Uint32Array(length.buffer)[0] !== UCRED_BYTES) {
    return err(problem("peer.unidentified", "peer credentials cannot be read"));
  }
  const words = new Int32Array(value.buffer);
  const [pid = 0, uid = -1, gid = -1] = words;
  // Linux gives -1 for uid and gid if the socket was never connected.
  if (uid === -1 || gid === -1) return err(problem("peer.unidentified", "peer has no credentials"));
  return ok({ pid, uid: uid >>> 0, gid: gid >>> 0 });
}

/** The supplementary groups of the process that connected, as they were when it did. */
export function readGroups(socket: Socket): Result<readonly number[], Problem> {
  const fd = socketDescriptor(socket);
  if (!fd.ok) return fd;
  const calls = libc();
  if (!calls.ok) return calls;
  // If the list is longer than the buffer, the kernel refuses and returns the length of the list.
  for (let room = USUAL_GROUPS; room <= NGROUPS_MAX;) {
    const value = new Uint32Array(room);
    const length = new Uint32Array([value.byteLength]);
    const [bytes, lengthBytes] = [new Uint8Array(value.buffer), new Uint8Array(length.buffer)];
    const status = calls.value.getsockopt(fd.value, SOL_SOCKET, SO_PEERGROUPS, bytes, lengthBytes);
    const count = (length[0] ?? 0) / GID_BYTES;
    if (status === 0) return ok([...value.subarray(0, count)]);
    if (count <= room) break;
    room = count;
  }
  return err(problem("peer.unidentified", "groups of the peer cannot be read"));
}

/** Returns the descriptor of an open socket; `node:net` of both runtimes keeps it in the handle. */
export function socketDescriptor(socket: Socket): Result<number, Problem> {
  // The number of a destroyed socket may already belong to another connection.
  if (socket.destroyed) return err(problem("peer.unidentified", "connection is closed"));
  const handle: unknown = Reflect.get(socket, "_handle");
  const fd: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, "fd") : undefined;
  if (typeof fd !== "number" || !Number.isInteger(fd) || fd < 0) {
    return err(problem("peer.unidentified", "connection has no descriptor"));
  }
  return ok(fd);
}
