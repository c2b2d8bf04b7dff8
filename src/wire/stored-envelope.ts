// The member `verified` of an envelope that the product keeps: what became of its facts. No agent can write it.
import { type Static, Type } from "@sinclair/typebox";
import { whole } from "./described.ts";

const nullableText = Type.Union([Type.String(), Type.Null()]);

/** An outcome as it stands in files and answers. */
export const EnvelopeOutcome = Type.Union([
  Type.Literal("verified"),
  Type.Literal("failed"),
  Type.Literal("vacuous"),
  Type.Literal("unverified"),
], { description: "What became of the facts; unverified where no rulespec is configured." });

/** An outcome as it stands in files and answers. */
export type EnvelopeOutcome = Static<typeof EnvelopeOutcome>;

/** How many predicates gave what. */
export const PredicateTotals = Type.Object({
  passed: whole("Predicates that hold.", { minimum: 0 }),
  failed: whole("Predicates that do not.", { minimum: 0 }),
  skipped: whole("Predicates whose when does not hold.", { minimum: 0 }),
  total: whole("All predicates.", { minimum: 0 }),
}, { additionalProperties: false });

/** How many predicates gave what. */
export type PredicateTotals = Static<typeof PredicateTotals>;

/** What became of the facts beside it, and the stamp where they were verified under a key. */
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

/** What became of the facts beside it. */
export type VerifiedMember = Static<typeof VerifiedMember>;
