// The calls about envelopes on both sockets. An agent learns the outcome of its facts and the notes that the operator wrote for
// failed predicates, and nothing else of the rulespec.
import { type Static, Type } from "@sinclair/typebox";
import { TOKEN_MEMBER } from "./agent-api.ts";
import { flag, nullableText, text, texts, whole } from "./described.ts";
import type { JsonObject } from "../core/json.ts";
import { EnvelopeOutcome, PredicateTotals } from "./stored-envelope.ts";

const closed = { additionalProperties: false };

/** The body of `POST /v1/envelopes`: the text of an envelope. */
export const EnvelopeBody = Type.Object({
  facts: text("The envelope as YAML: one member facts, with every fact below it."),
  session_token: Type.Optional(text(TOKEN_MEMBER)),
}, closed);

/** The body of `POST /v1/envelopes`. */
export type EnvelopeBody = Static<typeof EnvelopeBody>;

/** The part of a verification that the agent learns. The operator writes the notes of predicates for the agent. */
export const EnvelopeSummary = Type.Object({
  session: text("The container's short id."),
  outcome: EnvelopeOutcome,
  ...PredicateTotals.properties,
  failures: texts("Notes of the predicates that failed."),
}, closed);

/** The part of a verification that the agent learns. */
export type EnvelopeSummary = Static<typeof EnvelopeSummary>;

/** The newest envelope of a container's instance, as conditions see it. */
export const EnvelopeState = Type.Object({
  session: text("The container's short id."),
  container: Type.Object({ id: text("Full id."), name: text("Name.") }, {
    ...closed,
    description: "The container that submitted the envelope.",
  }),
  outcome: text("The outcome, as conditions see it."),
  verified: flag("Whether the operator's invariants hold for the facts."),
  ...PredicateTotals.properties,
  at: text("When it was submitted, ISO 8601."),
  age_seconds: whole("How long ago that was.", { minimum: 0 }),
}, closed);

/** The newest envelope of a container's instance. */
export type EnvelopeState = Static<typeof EnvelopeState>;

/** The data of `GET /api/v1/envelopes`: the envelopes of the containers that have checked in. */
export const EnvelopeList = Type.Array(EnvelopeState);

/** The data of `GET /api/v1/envelope/:container`: the stored envelope, and whether it proves verified work. */
export const EnvelopeView = Type.Object({
  container: text("Full id of the container."),
  session: text("The container's instance: its id and the start time of its first process. A restart changes it."),
  outcome: EnvelopeOutcome,
  ...PredicateTotals.properties,
  at: text("When it was submitted, ISO 8601."),
  stamp: nullableText("Stamp of a verified envelope."),
  holds: flag("Whether the outcome is verified and the stamp is valid for these facts and the present rulespec."),
  reason: nullableText("Why it does not hold."),
  directory: text("Directory of the envelope's files."),
  facts: Type.Unsafe<JsonObject>(
    Type.Record(Type.String(), Type.Unknown(), { description: "The facts, the agent's own word." }),
  ),
}, closed);

/** The stored envelope. */
export type EnvelopeView = Static<typeof EnvelopeView>;
