// ContainerSource: peer -> container, as the rest of the daemon sees it. In every source the process is pinned before the
// look-up and checked again after it, look-ups are limited in number and time, and every refusal is a value.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Peer } from "../peer/peer.ts";
import type { Container, SourceKind } from "./container.ts";

/** The state of a source, as `outcall status` shows it. */
export type SourceStatus = {
  readonly kind: SourceKind;
  /** Whether look-ups are expected to succeed. */
  readonly ready: boolean;
  /** One line for the operator. */
  readonly detail: string;
  /** How many running containers have been identified. */
  readonly containers: number;
};

/** Called for each identified container whose first process has ended. */
export type GoneListener = (container: Container) => void;

/** Identifies the containers of peers. */
export type ContainerSource = {
  readonly kind: SourceKind;
  /** Returns the container that the peer runs in, or the problem `container.unknown` (403) or `container.unavailable` (503). */
  readonly identify: (peer: Peer, signal?: AbortSignal) => Promise<Result<Container, Problem>>;
  readonly status: () => SourceStatus;
  /** Adds a listener and returns a function that removes it. */
  readonly onGone: (listener: GoneListener) => () => void;
  /** Ends timers and connections; every later look-up is refused. */
  readonly close: () => void;
};
