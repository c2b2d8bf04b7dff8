// ContainerSource: peer -> container, as the rest of the daemon sees it. Whichever way it goes, the process is pinned
// before and checked again after the look-up, look-ups are bounded in number and time, and every refusal is a value.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Peer } from "../peer/peer.ts";
import type { Container, SourceKind } from "./container.ts";

/** What `outcall status` shows of a source. */
export type SourceStatus = {
  readonly kind: SourceKind;
  /** Whether look-ups can be expected to succeed. */
  readonly ready: boolean;
  /** One line for the operator. */
  readonly detail: string;
  /** How many running containers have been identified. */
  readonly containers: number;
};

/** Told of each identified container whose first process has ended. */
export type GoneListener = (container: Container) => void;

/** A way from peers to containers. */
export type ContainerSource = {
  readonly kind: SourceKind;
  /** The container that the peer runs in: `container.unknown` (403) or `container.unavailable` (503) otherwise. */
  readonly identify: (peer: Peer, signal?: AbortSignal) => Promise<Result<Container, Problem>>;
  readonly status: () => SourceStatus;
  /** Adds a listener; the result removes it. */
  readonly onGone: (listener: GoneListener) => () => void;
  /** Ends timers and connections; nothing is identified afterwards. */
  readonly close: () => void;
};
