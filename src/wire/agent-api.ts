// The bodies of the agent socket's calls (S004 section 3). Closed maps: an unknown member is an error, never dropped.
import { type Static, Type } from "@sinclair/typebox";

const closed = { additionalProperties: false };

/** The largest request body on either socket, in bytes. */
export const BODY_LIMIT_BYTES = 65_536;

/** The context keys an agent should send with a request (S004-FR-004.c). */
export const CONTEXT_KEYS = ["action_type", "target", "metadata"] as const;

/** Check-in takes nothing: who is calling is what the kernel says. */
export const CheckinBody = Type.Object({}, closed);

/** What a check-in gives. */
export const CheckinData = Type.Object({
  container_id: Type.String({ pattern: "^ctr-[0-9a-f]{12}$" }),
  session_token: Type.String({ minLength: 1 }),
  context_keys: Type.Array(Type.String()),
}, closed);

/** What a check-in gives. */
export type CheckinData = Static<typeof CheckinData>;

/** The four kinds of action (S004-FR-013.a). */
export const ACTION_TYPES = ["tool_exec", "network_call", "file_access", "shell_exec"] as const;

/** A kind of action. */
export type ActionType = (typeof ACTION_TYPES)[number];

/** A request for permission; what its members mean is checked after its shape. */
export const PermissionBody = Type.Object({
  action_type: Type.String(),
  target: Type.String(),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  session_token: Type.Optional(Type.String()),
}, closed);

/** A request for permission. */
export type PermissionBody = Static<typeof PermissionBody>;

/** The verdict as it stands in an answer. */
export const VerdictData = Type.Object({
  allowed: Type.Boolean(),
  matched_rule: Type.Union([Type.String(), Type.Null()]),
  reason: Type.Union([Type.String(), Type.Null()]),
}, closed);
