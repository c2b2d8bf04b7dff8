// The member `verified` of a stored envelope: the outcome of its facts. Agents cannot write it.
import { type Static, Type } from "@sinclair/typebox";
import { whole } from "./described.ts";

const nullableText = Type.Union([Type.String(), Type.Null()]);

/** An outcome, in files and answers. */
export const EnvelopeOutcome = Type.Union([
  Type.Literal("verified"),
  Type.Literal("failed"),
  Type.Literal("vacuous"),
  Type.Literal("unverified"),
], { description: "The outcome of the facts; unverified where no rulespec is configured." });

/** An outcome, in files and answers. */
export type EnvelopeOutcome = Static<typeof EnvelopeOutcome>;

/** The number of predicates by result. */
export const PredicateTotals = Type.Object({
  passed: whole("Predicates that hold.", { minimum: 0 }),
  failed: whole("Predicates that do not hold.", { minimum: 0 }),
  skipped: whole("Predicates whose when does not hold.", { minimum: 0 }),
  total: whole("All predicates.", { minimum: 0 }),
}, { additionalProperties: false });

/** The number of predicates by result. */
export type PredicateTotals = Static<typeof PredicateTotals>;

/** The outcome of the facts beside this member, with the stamp where they were verified under a key. */
export const VerifiedMember = Type.Object({
  outcome: EnvelopeOutcome,
  totals: PredicateTotals,
  session: Type.String(),
  /** The container's name, by which its rulespec is chosen. */
  name: Type.String(),
  at: Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$" }),
  facts: Type.String(),
  rulespec: nullableText,
  stamp: nullableText,
}, { additionalProperties: false });

/** The outcome of the facts beside this member. */
export type VerifiedMember = Static<typeof VerifiedMember>;
