// The jobs of the thread of envelopes, and its replies. They are plain data, with facts as JSON text, because a copy between
// threads may not keep every key of an object exactly.
import type { Problem } from "../core/problem.ts";
import type { EnvelopeView } from "../wire/envelope-api.ts";
import type { EnvelopeOutcome, PredicateTotals } from "../wire/stored-envelope.ts";
import type { RulespecSource } from "./rulespec-source.ts";

/** The task of a thread that verifies envelopes. */
export type EnvelopesTask = { readonly kind: "envelopes"; readonly data: EnvelopeThreadData };

/** The data with which the thread starts. */
export type EnvelopeThreadData = {
  readonly stateDir: string;
  readonly source: RulespecSource;
  readonly key: Uint8Array;
};

/** The container whose envelope it is. */
export type EnvelopeOwner = { readonly id: string; readonly name: string; readonly instance: string };

/** One job: verify and store a text, restore the stored envelope of an instance, or show a stored envelope. */
export type EnvelopeJob = {
  /** Paths of the host that containers mount. No rulespec below them is read. */
  readonly mounts: readonly string[];
} & EnvelopeTask;

/** The kinds of jobs. */
type EnvelopeTask =
  | { readonly kind: "write"; readonly owner: EnvelopeOwner; readonly text: string }
  | { readonly kind: "restore"; readonly owner: EnvelopeOwner }
  | { readonly kind: "view"; readonly id: string };

/** The result for an envelope. */
export type EnvelopeResult = {
  readonly outcome: EnvelopeOutcome;
  readonly totals: PredicateTotals;
  /** The notes of the predicates that failed. */
  readonly failures: readonly string[];
  /** The time of the verification, ISO 8601. */
  readonly at: string;
  readonly factsJson: string;
  /** The fingerprint of the rulespec. If the rulespec changes, the envelope is no longer verified. */
  readonly fingerprint: string;
  /** For the operator: why the envelope failed although no predicate did. */
  readonly error: Problem | null;
};

/** The reply to a job. `nothing`: there is no envelope to restore or show; `busy`: the job was not begun. */
export type EnvelopeReply =
  | { readonly kind: "result"; readonly result: EnvelopeResult }
  | { readonly kind: "view"; readonly view: EnvelopeView }
  | { readonly kind: "nothing" }
  | { readonly kind: "busy" }
  | { readonly kind: "problem"; readonly problem: Problem };
