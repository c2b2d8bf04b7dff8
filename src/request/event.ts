// The audit events of rule requests: the operator, the decision, the digest of the text, and the time. An event is recorded
// before its decision is announced.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { Decider } from "../wire/stored-request.ts";

/** A step of a decision: an approval begins, takes effect or is undone. A denial is one step. */
export type RequestEvent = {
  readonly kind: "approving" | "approved" | "reverted" | "denied";
  readonly request: string;
  /** The id of the requesting container. */
  readonly container: string;
  readonly at: string;
  readonly by: Decider;
  /** The digest of what was approved or denied. */
  readonly digest: string;
  /** For an approval: the file and the ids of its rules. */
  readonly file: string | null;
  readonly rules: readonly string[];
  /** The reason of a denial, or of an approval that was undone. */
  readonly reason: string | null;
};

/** Records an event. If that fails, the step that it describes does not happen. */
export type KeepEvent = (event: RequestEvent) => Promise<Result<null, Problem>>;
