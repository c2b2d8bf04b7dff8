// Peer: the process at the other end of a Unix socket as the kernel names it at accept. Whatever is read by the pid counts
// only if the pinned process is still alive afterwards.
import type { PinnedProcess } from "./pin.ts";

/** The credentials of the process that connected, as SO_PEERCRED translates them into the daemon's namespaces. */
export type PeerCredentials = { readonly pid: number; readonly uid: number; readonly gid: number };

/** The other end of one connection; its process is released when the connection closes. */
export type Peer = {
  readonly credentials: PeerCredentials;
  /** The supplementary groups of the process when it connected; absent where nobody asked for them. */
  readonly groups?: readonly number[];
  readonly process: PinnedProcess;
};
