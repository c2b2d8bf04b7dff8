// Value and schema -> what does not fit, down to the variant that was meant. Typebox's own error of a union says nothing,
// and a record's stops at its first bad name; here each gets the errors that somebody can act on.
import type { Static, TSchema } from "@sinclair/typebox";
import { Value, type ValueError, ValueErrorType } from "@sinclair/typebox/value";

/** What kind of error it is, as far as its words depend on it. */
type ShapeErrorKind = "unknown-member" | "pattern" | "other";

/** One error: where (a JSON pointer), of what kind, against which schema. */
export type ShapeError = { readonly path: string; readonly kind: ShapeErrorKind; readonly schema: TSchema };

/** Chooses the variant of a union of structures that a value was meant for. */
export type ChooseVariant = (variants: readonly TSchema[], value: unknown) => TSchema | undefined;

/** Whether a value has the shape of a schema. */
export function hasShape<T extends TSchema>(schema: T, value: unknown): value is Static<T> {
  return Value.Check(schema, value);
}

/** Every error, lazily, since hostile values have many. */
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
    if (!patterns.some((pattern) => pattern.test(name))) yield shapeError(error, `${path}/${escapeKey(name)}`);
  }
}

function structureOf(union: TSchema, value: unknown, choose: ChooseVariant): TSchema | undefined {
  const variants: readonly TSchema[] = union["anyOf"];
  const structures = variants.filter((variant) => variant["type"] === "array" || variant["type"] === "object");
  return structures.length < 2 ? structures[0] : choose(structures, value);
}

function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
