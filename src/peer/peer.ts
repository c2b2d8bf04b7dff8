// Peer: the process at the other end of a Unix socket as the kernel names it at accept. Facts that are read by the
// pid count only if the pinned process is still alive afterwards.
import type { PinnedProcess } from "./pin.ts";

/** The credentials of the process that connected, as SO_PEERCRED translates them into the daemon's namespaces. */
export type PeerCredentials = { readonly pid: number; readonly uid: number; readonly gid: number };

/** The other end of one connection; its process is released when the connection closes. */
export type Peer = {
  readonly credentials: PeerCredentials;
  /** The supplementary groups of the process when it connected; absent unless the socket's access depends on them. */
  readonly groups?: readonly number[];
  readonly process: PinnedProcess;
};
