// The form of every answer on both sockets: success with data, or failure with one line of text and a code.
import type { Problem } from "../core/problem.ts";
import { type Static, type TSchema, Type } from "@sinclair/typebox";

/** The schema of a successful answer whose data has a schema. */
function successOf<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Literal(true), data }, { additionalProperties: false });
}

/** The schema of a successful answer whose data is checked later. */
export const SuccessAnswer = successOf(Type.Unknown());

/** The schema of a failed answer. */
export const FailureAnswer = Type.Object({
  success: Type.Literal(false),
  error: Type.String({ description: "One line of text, for people." }),
  code: Type.String({ description: "What went wrong, for programs.", pattern: "^[a-z]+\\.[a-z-]+$" }),
}, { additionalProperties: false });

/** A failed answer. */
export type FailureAnswer = Static<typeof FailureAnswer>;

/** The schema of a failed answer as a client takes it: an older daemon sends no code. */
export const ReceivedFailure = Type.Object({
  success: Type.Literal(false),
  error: Type.String(),
  code: Type.Optional(Type.String()),
}, { additionalProperties: false });

/** Wraps data as a successful answer. */
export function success<T>(data: T): { readonly success: true; readonly data: T } {
  return { success: true, data };
}

/** Wraps a problem as a failed answer. */
export function failure({ code, message }: Pick<Problem, "code" | "message">): FailureAnswer {
  return { success: false, error: message, code };
}
