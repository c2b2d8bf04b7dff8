// The calls about envelopes on both sockets (rulespec.md 6). An agent learns what became of its facts and the notes that the
// operator wrote for it, and nothing else of the rulespec.
import { type Static, Type } from "@sinclair/typebox";
import type { JsonObject } from "../core/json.ts";
import { EnvelopeOutcome, PredicateTotals } from "./stored-envelope.ts";

const closed = { additionalProperties: false };
const nullableText = Type.Union([Type.String(), Type.Null()]);

/** The body of `POST /v1/envelopes`: the text of an envelope. */
export const EnvelopeBody = Type.Object({ facts: Type.String(), session_token: Type.Optional(Type.String()) }, closed);

/** The body of `POST /v1/envelopes`. */
export type EnvelopeBody = Static<typeof EnvelopeBody>;

/** What an agent gets to know of its envelope: the notes of the predicates that failed are the operator's words for it. */
export const EnvelopeSummary = Type.Object({
  session: Type.String(),
  outcome: EnvelopeOutcome,
  ...PredicateTotals.properties,
  failures: Type.Array(Type.String()),
}, closed);

/** What an agent gets to know of its envelope. */
export type EnvelopeSummary = Static<typeof EnvelopeSummary>;

/** The newest envelope of a container's life, as conditions see it. */
export const EnvelopeState = Type.Object({
  session: Type.String(),
  container: Type.Object({ id: Type.String(), name: Type.String() }, closed),
  outcome: Type.String(),
  verified: Type.Boolean(),
  ...PredicateTotals.properties,
  at: Type.String(),
  age_seconds: Type.Integer({ minimum: 0 }),
}, closed);

/** The newest envelope of a container's life. */
export type EnvelopeState = Static<typeof EnvelopeState>;

/** The data of `GET /api/v1/envelopes`: of the containers that have checked in. */
export const EnvelopeList = Type.Array(EnvelopeState);

/** The data of `GET /api/v1/envelope/:container`: the envelope as it is kept, and whether it stands for verified work. */
export const EnvelopeView = Type.Object({
  container: Type.String(),
  /** Id and start of the container's first process: another after a restart. */
  session: Type.String(),
  outcome: EnvelopeOutcome,
  ...PredicateTotals.properties,
  at: Type.String(),
  stamp: nullableText,
  /** Whether the outcome is verified and its stamp holds for these facts and the rulespec as it is now. */
  holds: Type.Boolean(),
  /** Why not. */
  reason: nullableText,
  directory: Type.String(),
  facts: Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown())),
}, closed);

/** The envelope as it is kept. */
export type EnvelopeView = Static<typeof EnvelopeView>;
