// A rule request as the state directory keeps it: one JSON text a request, read back under the same schema that names
// its type, so that a damaged record is an error and never half a request.
import { type Static, Type } from "@sinclair/typebox";
import { RequestId } from "./request-agent.ts";

const closed = { additionalProperties: false };
const nullableText = Type.Union([Type.String(), Type.Null()]);

/** What was asked for, in the form in which it was. */
const SubmissionSchema = Type.Union([
  Type.Object({ form: Type.Literal("file"), ruleFile: Type.String() }, closed),
  Type.Object({
    form: Type.Literal("rule"),
    description: Type.String(),
    condition: Type.String(),
    action: Type.String(),
  }, closed),
  Type.Object({
    form: Type.Literal("access"),
    description: Type.String(),
    requestedAccess: Type.String(),
    suggestedCondition: nullableText,
  }, closed),
]);

/** What was asked for. */
export type Submission = Static<typeof SubmissionSchema>;

/** The container that asked; where it has no name of its own, a rule can only know it by its id. */
const RequesterSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  image: Type.String(),
  named: Type.Boolean(),
}, closed);

/** The container that asked. */
export type Requester = Static<typeof RequesterSchema>;

/** Who decides: the host socket's peer, its name where the host has one for it. */
const DeciderSchema = Type.Object({ uid: Type.Integer(), name: nullableText }, closed);

/** Who decides. */
export type Decider = Static<typeof DeciderSchema>;

const decision = { at: Type.String(), by: DeciderSchema, digest: Type.String() };

/** How a request stands. An approving one may have its file in the rules directory, and may not. */
const RequestStateSchema = Type.Union([
  Type.Object({ status: Type.Literal("pending") }, closed),
  Type.Object({ status: Type.Literal("approving"), ...decision, file: Type.String() }, closed),
  Type.Object({ status: Type.Literal("approved"), ...decision, file: Type.String() }, closed),
  Type.Object({ status: Type.Literal("rejected"), ...decision, reason: nullableText }, closed),
]);

/** How a request stands. */
export type StoredState = Static<typeof RequestStateSchema>;

/** A request. */
export const StoredRequestSchema = Type.Object({
  id: RequestId,
  submittedAt: Type.String(),
  requester: RequesterSchema,
  submission: SubmissionSchema,
  /** What a list shows of it. */
  description: Type.String(),
  requestedAccess: Type.String(),
  suggestedCondition: nullableText,
  /** The rule file as submitted, or as made of what was submitted; null where there is no condition yet. */
  ruleFile: nullableText,
  state: RequestStateSchema,
}, closed);

/** A request. */
export type RuleRequest = Static<typeof StoredRequestSchema>;
