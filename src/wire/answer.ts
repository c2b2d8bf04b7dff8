// The form of every answer on both sockets: success with data, or failure with one line of text.
import { type Static, type TSchema, Type } from "@sinclair/typebox";

/** The schema of a successful answer whose data has a schema. */
function successOf<T extends TSchema>(data: T) {
  return Type.Object({ success: Type.Literal(true), data }, { additionalProperties: false });
}

/** The schema of a successful answer whose data is checked later. */
export const SuccessAnswer = successOf(Type.Unknown());

/** The schema of a failed answer. */
export const FailureAnswer = Type.Object({ success: Type.Literal(false), error: Type.String() }, {
  additionalProperties: false,
});

/** A failed answer. */
export type FailureAnswer = Static<typeof FailureAnswer>;

/** Wraps data as a successful answer. */
export function success<T>(data: T): { readonly success: true; readonly data: T } {
  return { success: true, data };
}

/** Wraps a message as a failed answer. */
export function failure(error: string): FailureAnswer {
  return { success: false, error };
}
