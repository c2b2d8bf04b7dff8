// The calls of the agent socket that request rules (S004-FR-011, FR-012, S003-IF-006).
import { type Static, Type } from "@sinclair/typebox";
import { TOKEN_MEMBER } from "./agent-api.ts";
import { nullableText, text } from "./described.ts";

const closed = { additionalProperties: false };
const token = { session_token: Type.Optional(text(TOKEN_MEMBER)) };

/** The id of a rule request. */
export const RequestId = Type.String({ description: "The request's id.", pattern: "^rr-[0-9a-f]{12}$" });

/** A whole rule file, or the members of one rule. A check after the schema tells the two apart. */
export const RuleRequestBody = Type.Object(
  {
    rule_file: Type.Optional(text("A whole rule file. The other three members are then left out.")),
    description: Type.Optional(text("What the one rule is for.")),
    condition: Type.Optional(text("The condition of the one rule.")),
    action: Type.Optional(text("The action of the one rule: allow or block.")),
    ...token,
  },
  closed,
);

/** A whole rule file, or the members of one rule. */
export type RuleRequestBody = Static<typeof RuleRequestBody>;

/** A request for access in the agent's own words, with a condition if the agent knows one (S003-IF-006). */
export const AccessRequestBody = Type.Object(
  {
    description: text("What the access is for."),
    requested_access: text("The requested access, in words."),
    suggested_condition: Type.Optional(text("A condition that would allow it.")),
    ...token,
  },
  closed,
);

/** A request for access in the agent's own words. */
export type AccessRequestBody = Static<typeof AccessRequestBody>;

/** The status of a request, as the agent sees it (S000, RuleRequestStatus). */
export const RequestStatus = Type.Union(
  [Type.Literal("pending"), Type.Literal("approved"), Type.Literal("rejected")],
  { description: "The status of the request." },
);

/** The status of a request, as the agent sees it. */
export type RequestStatus = Static<typeof RequestStatus>;

/** The status of a request, with the operator's reason if it was rejected. */
export const RequestState = Type.Object({
  id: RequestId,
  status: RequestStatus,
  reason: nullableText("The operator's reason, of a rejected request."),
}, closed);

/** The status of a request. */
export type RequestState = Static<typeof RequestState>;

/** A stored request (StoredRuleRequest). */
export const AccessRequestData = Type.Object({
  id: RequestId,
  submitted_at: text("When it was submitted, ISO 8601."),
  status: RequestStatus,
  description: text("What the access is for."),
  requested_access: text("The requested access, in words."),
  suggested_condition: nullableText("A condition that would allow it."),
}, closed);

/** A stored request. */
export type AccessRequestData = Static<typeof AccessRequestData>;
