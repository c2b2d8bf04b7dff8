// What the thread of envelopes is asked and what it says: plain data, facts as their JSON text, since no copy of an object
// between threads is held to be exact for every key.
import type { Problem } from "../core/problem.ts";
import type { EnvelopeView } from "../wire/envelope-api.ts";
import type { EnvelopeOutcome, PredicateTotals } from "../wire/stored-envelope.ts";
import type { RulespecSource } from "./rulespec-source.ts";

/** The task of a thread that verifies envelopes. */
export type EnvelopesTask = { readonly kind: "envelopes"; readonly data: EnvelopeThreadData };

/** What the thread is started with. */
export type EnvelopeThreadData = {
  readonly stateDir: string;
  readonly source: RulespecSource;
  readonly key: Uint8Array;
};

/** The container whose envelope it is. */
export type EnvelopeOwner = { readonly id: string; readonly name: string; readonly instance: string };

/** What the thread is asked: to verify and keep a text, to find what was kept of a life, or to show what is kept. */
export type EnvelopeJob = {
  /** The host's paths that containers mount: no rulespec below them is read. */
  readonly mounts: readonly string[];
} & EnvelopeTask;

/** What is to be done. */
type EnvelopeTask =
  | { readonly kind: "write"; readonly owner: EnvelopeOwner; readonly text: string }
  | { readonly kind: "restore"; readonly owner: EnvelopeOwner }
  | { readonly kind: "view"; readonly id: string };

/** What became of an envelope. */
export type EnvelopeResult = {
  readonly outcome: EnvelopeOutcome;
  readonly totals: PredicateTotals;
  /** The notes of the predicates that failed. */
  readonly failures: readonly string[];
  /** ISO 8601. */
  readonly at: string;
  readonly factsJson: string;
  /** The rulespec that it was held against; another one now, and it stands for nothing. */
  readonly fingerprint: string;
  /** What the operator should know: why it failed where no predicate did. */
  readonly trouble: Problem | null;
};

/** What the thread says; `nothing` where there is no envelope to restore or show, `busy` where it did not begin. */
export type EnvelopeReply =
  | { readonly kind: "result"; readonly result: EnvelopeResult }
  | { readonly kind: "view"; readonly view: EnvelopeView }
  | { readonly kind: "nothing" }
  | { readonly kind: "busy" }
  | { readonly kind: "problem"; readonly problem: Problem };
