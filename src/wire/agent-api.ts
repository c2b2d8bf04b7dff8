// The bodies of the agent socket's calls. Every map is closed: an unknown member is an error.
import { type Static, Type } from "@sinclair/typebox";
import { flag, nullableText, text, texts } from "./described.ts";

const closed = { additionalProperties: false };

/** The largest request body on either socket, in bytes. */
export const BODY_LIMIT_BYTES = 65_536;

/** The members that an agent sends with a permission request (S004-FR-004.c). */
export const CONTEXT_KEYS = ["action_type", "target", "metadata"] as const;

/** Check-in takes nothing, because the kernel identifies the caller. */
export const CheckinBody = Type.Object({}, closed);

/** The data of a check-in. */
export const CheckinData = Type.Object({
  container_id: Type.String({ description: "The container's short id.", pattern: "^ctr-[0-9a-f]{12}$" }),
  session_token: Type.String({ description: "The token that every further call must carry.", minLength: 1 }),
  context_keys: texts("The members to send with a permission request."),
}, closed);

/** The data of a check-in. */
export type CheckinData = Static<typeof CheckinData>;

/** The four kinds of action (S004-FR-013.a). */
export const ACTION_TYPES = ["tool_exec", "network_call", "file_access", "shell_exec"] as const;

/** A kind of action. */
export type ActionType = (typeof ACTION_TYPES)[number];

/** The description of the member `session_token` of a body. */
export const TOKEN_MEMBER = "The session token, where the Authorization header does not have it.";

/** A request for permission. The meaning of its members is checked after its shape. */
export const PermissionBody = Type.Object({
  action_type: text("The kind of action: tool_exec, network_call, file_access or shell_exec."),
  target: text("What the action is done to: a program, a host or URL, a path, or a shell line."),
  metadata: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: "More about the action, in the agent's own words." }),
  ),
  session_token: Type.Optional(text(TOKEN_MEMBER)),
}, closed);

/** A request for permission. */
export type PermissionBody = Static<typeof PermissionBody>;

/** A request for permission as the operator writes it for a what-if: without a token. */
export const WhatIfRequest = Type.Omit(PermissionBody, ["session_token"], closed);

/** The header of a recorded denial that names the record: an opaque id, which `outcall log show` accepts. */
export const RECORD_HEADER = "outcall-record";

/** The verdict in an answer. */
export const VerdictData = Type.Object({
  allowed: flag("Whether the action may be done."),
  matched_rule: nullableText("Opaque id of the rule that decided; null where no rule did."),
  reason: nullableText("Why the action is denied; null when it is allowed."),
}, closed);
