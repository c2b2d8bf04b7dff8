// A rule request as the state directory stores it: one JSON text for each request. The schema checks it when it is read, so that
// a damaged record is an error and never half a request.
import { type Static, Type } from "@sinclair/typebox";
import { RequestId } from "./request-agent.ts";

const closed = { additionalProperties: false };
const nullableText = Type.Union([Type.String(), Type.Null()]);

/** A submission, in the form in which the agent sent it. */
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

/** A submission. */
export type Submission = Static<typeof SubmissionSchema>;

/** The container that submitted the request. `named` is false where rules know the container by its id alone. */
const RequesterSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  image: Type.String(),
  named: Type.Boolean(),
}, closed);

/** The container that submitted the request. */
export type Requester = Static<typeof RequesterSchema>;

/** The operator who decided: the user of the host socket's peer, with the name if the host has one. */
const DeciderSchema = Type.Object({ uid: Type.Integer(), name: nullableText }, closed);

/** The operator who decided. */
export type Decider = Static<typeof DeciderSchema>;

const decision = { at: Type.String(), by: DeciderSchema, digest: Type.String() };

/** The state of a request. The file of an `approving` request may or may not be in the rules directory. */
const RequestStateSchema = Type.Union([
  Type.Object({ status: Type.Literal("pending") }, closed),
  Type.Object({ status: Type.Literal("approving"), ...decision, file: Type.String() }, closed),
  Type.Object({ status: Type.Literal("approved"), ...decision, file: Type.String() }, closed),
  Type.Object({ status: Type.Literal("rejected"), ...decision, reason: nullableText }, closed),
]);

/** The state of a request. */
export type StoredState = Static<typeof RequestStateSchema>;

/** A request. */
export const StoredRequestSchema = Type.Object({
  id: RequestId,
  submittedAt: Type.String(),
  requester: RequesterSchema,
  submission: SubmissionSchema,
  /** The description in lists. */
  description: Type.String(),
  requestedAccess: Type.String(),
  suggestedCondition: nullableText,
  /** The rule file as submitted, or as made from the submission; null where there is no condition yet. */
  ruleFile: nullableText,
  state: RequestStateSchema,
}, closed);

/** A request. */
export type RuleRequest = Static<typeof StoredRequestSchema>;
