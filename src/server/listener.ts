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
  /** The mode of its directory, if the daemon makes it. */
  readonly directoryMode: number;
  /** The group of socket and directory; null: that of the process. With a group, the groups of each peer are read too. */
  readonly gid: number | null;
  readonly handle: Handle;
  /** Whether this socket may use the connections that are kept free for the operator. */
  readonly isReserved: boolean;
  /** Returns the container of a peer, for the count of connections of each container; null: they are not counted. */
  readonly identify: ((peer: Peer) => Promise<Result<Container, Problem>>) | null;
};
