// A socket of the daemon as a row of a table: its path, its access, its app, and how its connections are counted.
import type { Container } from "../container/container.ts";
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Peer } from "../peer/peer.ts";
import type { Handle } from "./exchange.ts";

/** A socket of the daemon. */
export type Listener = {
  /** Its name in the log: `host.connection`. */
  readonly name: string;
  readonly path: string;
  readonly mode: number;
  /** The mode of its directory, where that is made. */
  readonly directoryMode: number;
  /** The group of socket and directory; null: that of the process. Its connections are then asked for their groups. */
  readonly gid: number | null;
  readonly handle: Handle;
  /** Whether the connections that are kept free are for this socket. */
  readonly isReserved: boolean;
  /** The container of a peer, where connections are counted for each container; null where they are not. */
  readonly identify: ((peer: Peer) => Promise<Result<Container, Problem>>) | null;
};
