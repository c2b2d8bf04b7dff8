// What of requests is evidence: who decided what about which text, and when. It must be kept before anybody is told.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Decider } from "../wire/stored-request.ts";

/** A step of a decision: an approval begins, takes effect or is undone; a denial is one step. */
export type RequestEvent = {
  readonly kind: "approving" | "approved" | "reverted" | "denied";
  readonly request: string;
  /** The id of the container that asked. */
  readonly container: string;
  readonly at: string;
  readonly by: Decider;
  /** Of what was approved or denied. */
  readonly digest: string;
  /** The file and the ids of its rules, of an approval. */
  readonly file: string | null;
  readonly rules: readonly string[];
  /** Why it was denied or undone. */
  readonly reason: string | null;
};

/** Keeps an event; where it cannot, what the event tells of does not take place. */
export type KeepEvent = (event: RequestEvent) => Promise<Result<null, Problem>>;
