// The calls of the agent socket that ask for rules (S004-FR-011, FR-012, S003-IF-006). Closed maps, as on every call.
import { type Static, Type } from "@sinclair/typebox";
import { TOKEN_MEMBER } from "./agent-api.ts";
import { nullableText, text } from "./described.ts";

const closed = { additionalProperties: false };
const token = { session_token: Type.Optional(text(TOKEN_MEMBER)) };

/** The id of a rule request. */
export const RequestId = Type.String({ description: "The request's id.", pattern: "^rr-[0-9a-f]{12}$" });

/** A whole rule file, or the members of one rule: which of the two it is, is looked at after the shape. */
export const RuleRequestBody = Type.Object(
  {
    rule_file: Type.Optional(text("A whole rule file; then none of the three below.")),
    description: Type.Optional(text("Of one rule: what it is for.")),
    condition: Type.Optional(text("Of one rule: its condition.")),
    action: Type.Optional(text("Of one rule: allow or block.")),
    ...token,
  },
  closed,
);

/** A whole rule file, or the members of one rule. */
export type RuleRequestBody = Static<typeof RuleRequestBody>;

/** Access in the agent's own words, with a condition if it knows one (S003-IF-006). */
export const AccessRequestBody = Type.Object(
  {
    description: text("What the access is for."),
    requested_access: text("The access, in words."),
    suggested_condition: Type.Optional(text("A condition that would allow it.")),
    ...token,
  },
  closed,
);

/** Access in the agent's own words. */
export type AccessRequestBody = Static<typeof AccessRequestBody>;

/** What a request is to whoever made it (S000, RuleRequestStatus). */
export const RequestStatus = Type.Union(
  [Type.Literal("pending"), Type.Literal("approved"), Type.Literal("rejected")],
  { description: "How the request stands." },
);

/** What a request is to whoever made it. */
export type RequestStatus = Static<typeof RequestStatus>;

/** How a request stands; the reason is the operator's, of a rejected one. */
export const RequestState = Type.Object({
  id: RequestId,
  status: RequestStatus,
  reason: nullableText("What the operator says of a rejected one."),
}, closed);

/** How a request stands. */
export type RequestState = Static<typeof RequestState>;

/** A stored request in the seed's words (StoredRuleRequest). */
export const AccessRequestData = Type.Object({
  id: RequestId,
  submitted_at: text("When it came, ISO 8601."),
  status: RequestStatus,
  description: text("What the access is for."),
  requested_access: text("The access, in words."),
  suggested_condition: nullableText("A condition that would allow it."),
}, closed);

/** A stored request in the seed's words. */
export type AccessRequestData = Static<typeof AccessRequestData>;
