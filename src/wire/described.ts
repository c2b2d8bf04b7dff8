// Schemas of members with descriptions. The reference and `outcall schema` print the descriptions.
import { Type } from "@sinclair/typebox";

/** A text. */
export function text(description: string) {
  return Type.String({ description });
}

/** A text, or null. */
export function nullableText(description: string) {
  return Type.Union([Type.String(), Type.Null()], { description });
}

/** A switch. */
export function flag(description: string) {
  return Type.Boolean({ description });
}

/** A whole number. */
export function whole(description: string, limits: { readonly minimum?: number; readonly maximum?: number } = {}) {
  return Type.Integer({ description, ...limits });
}

/** A list of texts. */
export function texts(description: string) {
  return Type.Array(Type.String(), { description });
}
