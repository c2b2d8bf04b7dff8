// Value and schema -> the errors of the value. TypeBox reports a union as one error without details and a record only up to its
// first bad name. Here a union is reported by the errors of the variant that was meant, and a record by all its bad names.
import { escapePointerPart } from "../core/json-pointer.ts";
import type { Static, TSchema } from "@sinclair/typebox";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";

/** The kind of an error, as far as its message depends on it. */
type ShapeErrorKind = "unknown-member" | "pattern" | "other";

/** One error: its place as a JSON pointer, its kind and its schema. */
export type ShapeError = { readonly path: string; readonly kind: ShapeErrorKind; readonly schema: TSchema };

/** Chooses the variant of a union that a value was meant for. */
export type ChooseVariant = (variants: readonly TSchema[], value: unknown) => TSchema | undefined;

/** Whether a value has the shape of a schema. */
export function hasShape<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return Value.Check(schema, value);
}

/** Every error, lazily, because a hostile value can have very many. */
export function* shapeErrors(
  schema: TSchema,
  value: unknown,
  choose: ChooseVariant,
  path = "",
): Iterable<ShapeError> {
  for (const error of Value.Errors(schema, value)) {
    const at = path + error.path;
    const names: unknown = error.schema["patternProperties"];
    if (error.type === ValueErrorType.Union) {
      const variant = structureOf(error.schema, error.value, choose);
      if (variant === undefined) yield shapeError(error, at);
      else yield* shapeErrors(variant, error.value, choose, at);
    } else if (error.type === ValueErrorType.ObjectAdditionalProperties && isObject(names)) {
      yield* badNames(error, names, value, path);
    } else {
      yield shapeError(error, at);
    }
  }
}

function shapeError({ type, schema }: ValueError, path: string): ShapeError {
  const unknown = type === ValueErrorType.ObjectAdditionalProperties;
  return {
    path,
    schema,
    kind: unknown ? "unknown-member" : type === ValueErrorType.StringPattern ? "pattern" : "other",
  };
}

function* badNames(error: ValueError, names: object, record: unknown, path: string): Iterable<ShapeError> {
  const patterns = Object.keys(names).map((pattern) => new RegExp(pattern));
  if (!isObject(record)) return;
  for (const name of Object.keys(record)) {
    if (!patterns.some((pattern) => pattern.test(name))) yield shapeError(error, `${path}/${escapePointerPart(name)}`);
  }
}

function structureOf(union: TSchema, value: unknown, choose: ChooseVariant): TSchema | undefined {
  const variants: readonly TSchema[] = union["anyOf"];
  const structures = variants.filter((variant) => variant["type"] === "array" || variant["type"] === "object");
  return structures.length < 2 ? structures[0] : choose(structures, value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
