// The output of `outcall log --json`, one record a line, and of `outcall log verify --json`.
import { type Static, Type } from "@sinclair/typebox";
import { JsonMap } from "./context-schema.ts";

const closed = { additionalProperties: false };
const version = Type.Literal(1);
const nullableText = Type.Union([Type.String(), Type.Null()]);
const hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const place = {
  version,
  seq: Type.Integer({ minimum: 1 }),
  time: Type.String(),
};
const link = {
  /** Whether the record was synced before its answer was sent. */
  audit: Type.Boolean(),
  container: nullableText,
  name: nullableText,
  reason: nullableText,
  previous: hash,
  hash,
};

const asked = { context: JsonMap, context_digest: hash };

/** A decision, or the answer to a what-if. */
const DecisionRecord = Type.Object({
  ...place,
  kind: Type.Union([Type.Literal("decision"), Type.Literal("what-if")]),
  source: Type.Union([Type.Literal("agent"), Type.Literal("host")]),
  decision: Type.Union([Type.Literal("allow"), Type.Literal("block")]),
  rule: nullableText,
  file: nullableText,
  digest: Type.String(),
  duration_ms: Type.Number(),
  hooks: Type.Array(Type.String()),
  errors: Type.Array(Type.Object({ rule: Type.String(), file: Type.String(), message: Type.String() }, closed)),
  /** The target as the agent wrote it, if that differs from the context's target. */
  raw_target: Type.Optional(Type.String()),
  ...asked,
  ...link,
}, closed);

/** A what-if about one expression. */
const ExpressionRecord = Type.Object({
  ...place,
  kind: Type.Literal("what-if"),
  source: Type.Literal("host"),
  digest: Type.String(),
  expression: Type.String(),
  result: Type.Boolean(),
  duration_ms: Type.Number(),
  ...asked,
  ...link,
}, closed);

/** A record that is not a decision. */
const EventRecord = Type.Object({
  ...place,
  kind: Type.Union([
    Type.Literal("refusal"),
    Type.Literal("misuse"),
    Type.Literal("approval"),
    Type.Literal("reload"),
    Type.Literal("start"),
    Type.Literal("stop"),
    Type.Literal("log.gap"),
    Type.Literal("log.checkpoint"),
  ]),
  source: Type.Union([Type.Literal("agent"), Type.Literal("host"), Type.Literal("daemon")]),
  detail: JsonMap,
  ...link,
}, closed);

/** `log`: one record. */
export const LogOutput = Type.Union([DecisionRecord, ExpressionRecord, EventRecord]);

const nullableCount = Type.Union([Type.Integer(), Type.Null()]);

/** `log verify`: whether the chain is whole, and if not, the first break, with the number of the record if it is in one. */
export const LogVerifyOutput = Type.Object({
  version,
  whole: Type.Boolean(),
  records: nullableCount,
  removed: nullableCount,
  last: nullableCount,
  broken: Type.Union([Type.Object({ seq: nullableCount, message: Type.String() }, closed), Type.Null()]),
}, closed);

/** `log verify`. */
export type LogVerifyOutput = Static<typeof LogVerifyOutput>;
