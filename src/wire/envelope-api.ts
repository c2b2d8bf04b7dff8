// The calls about envelopes on both sockets (rulespec.md 6). An agent learns what became of its facts and the notes that the
// operator wrote for it, and nothing else of the rulespec.
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

/** What an agent gets to know of its envelope: the notes of the predicates that failed are the operator's words for it. */
export const EnvelopeSummary = Type.Object({
  session: text("The container's short id."),
  outcome: EnvelopeOutcome,
  ...PredicateTotals.properties,
  failures: texts("Notes of the predicates that failed."),
}, closed);

/** What an agent gets to know of its envelope. */
export type EnvelopeSummary = Static<typeof EnvelopeSummary>;

/** The newest envelope of a container's life, as conditions see it. */
export const EnvelopeState = Type.Object({
  session: text("The container's short id."),
  container: Type.Object({ id: text("Full id."), name: text("Name.") }, {
    ...closed,
    description: "Whose envelope it is.",
  }),
  outcome: text("What became of the facts, as conditions see it."),
  verified: flag("Whether the operator's invariants hold."),
  ...PredicateTotals.properties,
  at: text("When it was written, ISO 8601."),
  age_seconds: whole("How long ago that was.", { minimum: 0 }),
}, closed);

/** The newest envelope of a container's life. */
export type EnvelopeState = Static<typeof EnvelopeState>;

/** The data of `GET /api/v1/envelopes`: of the containers that have checked in. */
export const EnvelopeList = Type.Array(EnvelopeState);

/** The data of `GET /api/v1/envelope/:container`: the envelope as it is kept, and whether it stands for verified work. */
export const EnvelopeView = Type.Object({
  container: text("Full id of the container."),
  session: text("Id and start of the container's first process: another after a restart."),
  outcome: EnvelopeOutcome,
  ...PredicateTotals.properties,
  at: text("When it was written, ISO 8601."),
  stamp: nullableText("Stamp of a verified one."),
  holds: flag("Whether the outcome is verified and its stamp holds for these facts and the rulespec as it is now."),
  reason: nullableText("Why not."),
  directory: text("Where its files are."),
  facts: Type.Unsafe<JsonObject>(
    Type.Record(Type.String(), Type.Unknown(), { description: "The facts, the agent's own word." }),
  ),
}, closed);

/** The envelope as it is kept. */
export type EnvelopeView = Static<typeof EnvelopeView>;
