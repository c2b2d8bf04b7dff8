// ContainerFinder: the part in which container sources differ, the look-up itself. `guard.ts` holds a finder and adds the
// checks that the process is alive, the cache and the time limit.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Container, FirstProcess, SourceKind } from "./container.ts";

/** A container and its first process; the container ends when this process ends. */
export type Found = { readonly container: Container; readonly first: FirstProcess };

/** Called when earlier results about a container may be outdated; with null, the results about all containers. */
export type ChangeListener = (id: string | null) => void;

/** Looks up containers in one way. */
export type ContainerFinder = {
  readonly kind: SourceKind;
  /** Reads the kernel's evidence of the process's container. An earlier result is valid only while this text is the same. */
  readonly readEvidence: (pid: number) => Result<string, Problem>;
  /** Finds the container that the evidence names. */
  readonly find: (pid: number, evidence: string, signal: AbortSignal) => Promise<Result<Found, Problem>>;
  /** Whether earlier results may be used; false while changes would not be noticed. */
  readonly isCurrent: () => boolean;
  readonly onChange: (listener: ChangeListener) => void;
  readonly status: () => { readonly ready: boolean; readonly detail: string };
  readonly close: () => void;
};
