// Unknown value -> typed value: the one place where JSON from outside gets its type.
import { pointerParts } from "../core/json-pointer.ts";
import { type Static, type TSchema } from "@sinclair/typebox";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";
import { didYouMean } from "../core/nearest.ts";
import { quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";

/** A schema, for rooms that do not import TypeBox. */
export type Schema = TSchema;

/** The type that a schema describes. */
export type Decoded<T extends Schema> = Static<T>;

/** The reason why a value does not fit: a message of one line, and a hint if an unknown name is close to a known one. */
export type Mismatch = { readonly message: string; readonly hint?: string };

/** The value with the schema's type, or the first mismatch. */
export function decode<T extends TSchema>(schema: T, value: unknown): Result<Static<T>, Mismatch> {
  const first = Value.Errors(schema, value).First();
  if (first === undefined) return ok(value as Static<T>);
  return err(describeMismatch(first));
}

/** A schema error in one line: its place, the found value and the expected one, with the nearest name for an unknown member. */
export function describeMismatch(error: ValueError, noun: "member" | "parameter" = "member"): Mismatch {
  const path = pointerParts(error.path);
  const where = path.length === 0 ? "the body" : quote(path.join("."));
  if (error.type === ValueErrorType.ObjectAdditionalProperties) {
    const properties: unknown = error.schema["properties"];
    const known = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
    const hint = didYouMean(path.at(-1) ?? "", known);
    return { message: `unknown ${noun} ${where}`, ...(hint === undefined ? {} : { hint }) };
  }
  if (error.type === ValueErrorType.ObjectRequiredProperty) return { message: `missing ${noun} ${where}` };
  const choices = choicesOf(error.schema);
  if (error.type === ValueErrorType.Union && choices !== null) {
    return { message: `${where}: expected one of ${choices.join(", ")}` };
  }
  const wanted = error.message.charAt(0).toLowerCase() + error.message.slice(1);
  return { message: `${where}: ${wanted}` };
}

// The values of a union of texts, quoted; null for any other schema.
function choicesOf(schema: TSchema): readonly string[] | null {
  const variants: unknown = schema["anyOf"];
  if (!Array.isArray(variants)) return null;
  const values = variants.map((variant: TSchema): unknown => variant["const"]);
  return values.every((value) => typeof value === "string") ? values.map((value) => quote(value)) : null;
}
