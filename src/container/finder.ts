// ContainerFinder: the part of a source that differs from one to the next. It only looks up; alive or not, cached or
// not, in time or not is the business of `guard.ts`, which holds it.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Container, FirstProcess, SourceKind } from "./container.ts";

/** A container together with the process whose end is its end. */
export type Found = { readonly container: Container; readonly first: FirstProcess };

/** Told that what was found of a container may no longer hold, or, with null, what was found of any. */
export type ChangeListener = (id: string | null) => void;

/** One way to look up a container. */
export type ContainerFinder = {
  readonly kind: SourceKind;
  /** What the kernel says now of where the process is; a container found earlier holds only while this is the same. */
  readonly readEvidence: (pid: number) => Result<string, Problem>;
  /** The container that the evidence points to. */
  readonly find: (pid: number, evidence: string, signal: AbortSignal) => Promise<Result<Found, Problem>>;
  /** Whether what was found may be used again; false while changes cannot be told. */
  readonly isCurrent: () => boolean;
  readonly onChange: (listener: ChangeListener) => void;
  readonly status: () => { readonly ready: boolean; readonly detail: string };
  readonly close: () => void;
};
