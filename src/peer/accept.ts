// Accepted socket -> peer. The connection listener calls this first, before it reads anything. The result belongs to the
// connection and is never absent; the caller releases the peer's process when the connection closes.
import type { Socket } from "node:net";
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { readCredentials, readGroups, socketDescriptor } from "./credentials.ts";
import type { Peer } from "./peer.ts";
import { pin } from "./pin.ts";
import { rejectPeer } from "./rejection.ts";

/** The peer of a connection: its credentials, its pinned process and, if the caller wants them, its supplementary groups. */
export function identifyPeer(
  socket: Socket,
  wants: { readonly groups: boolean } = { groups: false },
): Result<Peer, Problem> {
  const credentials = readCredentials(socket);
  if (!credentials.ok) return credentials;
  const { pid } = credentials.value;
  // The kernel gives pid 0 for a process whose pid namespace is not below the daemon's.
  if (pid <= 0) return err(rejectPeer(pid, "process is of another pid namespace tree"));
  const fd = socketDescriptor(socket);
  if (!fd.ok) return fd;
  const groups = wants.groups ? readGroups(socket) : ok(undefined);
  if (!groups.ok) return groups;
  const process = pin(fd.value, pid);
  if (!process.ok) return process;
  const more = groups.value === undefined ? {} : { groups: groups.value };
  return ok({ credentials: credentials.value, process: process.value, ...more });
}
