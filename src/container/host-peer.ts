// Peer of the host socket -> whether it may use the socket. Only root and the daemon's own user may, and never from inside a
// container: another pid or user namespace, or a cgroup named like a container's, is refused whatever the source says.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Peer } from "../peer/peer.ts";
import { isUnchanged } from "../peer/pin.ts";
import { type NamespaceKind, readCgroup, readNamespace, readNamespacePids, readProcFile } from "../peer/proc-files.ts";
import { namesContainer } from "./cgroup-path.ts";

/** The message for a refused peer of the host socket. */
export const HOST_PEER_FORBIDDEN = "peer may not use the host socket";

/** What a peer may do on the host socket: `read` changes nothing, `write` is for root and the daemon's user. */
export type Rights = "read" | "write";

/** What the peer may do on the host socket; the cause of a refusal is for the log. */
export function checkHostPeer(peer: Peer, ownUid: number): Result<Rights, Problem> {
  const { pid, uid } = peer.credentials;
  const detail = forbiddenBy(pid, uid, ownUid) ?? (isUnchanged(peer.process) ? undefined : "process has ended");
  if (detail === undefined) return ok("write");
  return err(problem("daemon.forbidden", HOST_PEER_FORBIDDEN, { cause: { pid, uid, detail } }));
}

function forbiddenBy(pid: number, uid: number, ownUid: number): string | undefined {
  if (uid !== 0 && uid !== ownUid) return "neither root nor the daemon's user";
  if (!isOwnNamespace(pid, "pid")) return "another pid namespace";
  if (!isOwnNamespace(pid, "user")) return "another user namespace";
  const cgroup = readCgroup(pid);
  if (!cgroup.ok) return cgroup.error.message;
  return namesContainer(cgroup.value) ? "a cgroup named like a container's" : undefined;
}

function isOwnNamespace(pid: number, kind: NamespaceKind): boolean {
  const own = readNamespace("self", kind);
  const peers = readNamespace(pid, kind);
  if (!own.ok) return false;
  // A daemon of an ordinary user may not read the links of root's processes. Files that every user may read decide then.
  if (!peers.ok) return kind === "pid" ? hasOnePid(pid) : hasOwnIdMaps(pid);
  return own.value === peers.value;
}

// A process with a single pid, counted from the namespace of /proc inwards, is in the namespace of /proc, which is ours.
function hasOnePid(pid: number): boolean {
  const pids = readNamespacePids(pid);
  return pids.ok && pids.value.length === 1;
}

// A user namespace that an ordinary user made maps fewer ids than its parent, so its id maps differ.
function hasOwnIdMaps(pid: number): boolean {
  return ["uid_map", "gid_map"].every((map) => {
    const own = readProcFile(`/proc/self/${map}`);
    const peers = readProcFile(`/proc/${pid}/${map}`);
    return own.ok && peers.ok && own.value !== "" && own.value === peers.value;
  });
}
