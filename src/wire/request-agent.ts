// The calls of the agent socket that ask for rules (S004-FR-011, FR-012, S003-IF-006). Closed maps, as on every call.
import { type Static, Type } from "@sinclair/typebox";

const closed = { additionalProperties: false };
const nullableText = Type.Union([Type.String(), Type.Null()]);
const token = { session_token: Type.Optional(Type.String()) };
const text = Type.Optional(Type.String());

/** The id of a rule request. */
export const RequestId = Type.String({ pattern: "^rr-[0-9a-f]{12}$" });

/** A whole rule file, or the members of one rule: which of the two it is, is looked at after the shape. */
export const RuleRequestBody = Type.Object(
  { rule_file: text, description: text, condition: text, action: text, ...token },
  closed,
);

/** A whole rule file, or the members of one rule. */
export type RuleRequestBody = Static<typeof RuleRequestBody>;

/** Access in the agent's own words, with a condition if it knows one (S003-IF-006). */
export const AccessRequestBody = Type.Object(
  { description: Type.String(), requested_access: Type.String(), suggested_condition: text, ...token },
  closed,
);

/** Access in the agent's own words. */
export type AccessRequestBody = Static<typeof AccessRequestBody>;

/** What a request is to whoever made it (S000, RuleRequestStatus). */
export const RequestStatus = Type.Union([Type.Literal("pending"), Type.Literal("approved"), Type.Literal("rejected")]);

/** What a request is to whoever made it. */
export type RequestStatus = Static<typeof RequestStatus>;

/** How a request stands; the reason is the operator's, of a rejected one. */
export const RequestState = Type.Object({ id: RequestId, status: RequestStatus, reason: nullableText }, closed);

/** How a request stands. */
export type RequestState = Static<typeof RequestState>;

/** A stored request in the seed's words (StoredRuleRequest). */
export const AccessRequestData = Type.Object({
  id: RequestId,
  submitted_at: Type.String(),
  status: RequestStatus,
  description: Type.String(),
  requested_access: Type.String(),
  suggested_condition: nullableText,
}, closed);

/** A stored request in the seed's words. */
export type AccessRequestData = Static<typeof AccessRequestData>;
