// Peer of the host socket -> its rights there. Root and the daemon's user may do everything, members of the operators'
// group may read. A process in another pid or user namespace, or in a cgroup that names a container, may do nothing, whatever
// the container source says.
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import type { Peer } from "../peer/peer.ts";
import { isUnchanged } from "../peer/pin.ts";
import { type NamespaceKind, readCgroup, readNamespace, readNamespacePids, readProcFile } from "../peer/proc-files.ts";
import { namesContainer } from "./cgroup-path.ts";

/** The message for a refused peer of the host socket. */
export const HOST_PEER_FORBIDDEN = "peer may not use the host socket";

/** The rights of a peer on the host socket: `read` changes nothing, `write` is for root and the daemon's user. */
export type Rights = "read" | "write";

/** The users of the host socket besides root. */
export type HostUsers = {
  /** The daemon's own user. */
  readonly ownUid: number;
  /** The group whose members may read; null: none. */
  readonly operatorsGid: number | null;
};

/** The rights of the peer on the host socket; the cause of a refusal is for the log. */
export function checkHostPeer(peer: Peer, users: HostUsers): Result<Rights, Problem> {
  const { pid, uid } = peer.credentials;
  const rights = rightsOf(peer, users);
  const detail = rights === null
    ? "neither root nor the daemon's user"
    : forbiddenBy(pid) ?? (isUnchanged(peer.process) ? undefined : "process has ended");
  if (rights !== null && detail === undefined) return ok(rights);
  return err(problem("daemon.forbidden", HOST_PEER_FORBIDDEN, { cause: { pid, uid, detail } }));
}

function rightsOf(
  { credentials: { uid, gid }, groups = [] }: Peer,
  { ownUid, operatorsGid }: HostUsers,
): Rights | null {
  if (uid === 0 || uid === ownUid) return "write";
  return operatorsGid !== null && (gid === operatorsGid || groups.includes(operatorsGid)) ? "read" : null;
}

function forbiddenBy(pid: number): string | undefined {
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
  // A daemon of an ordinary user may not read the links of root's processes. Then the files that every user may read are
  // compared.
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
