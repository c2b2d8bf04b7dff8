// TypeBox schemas -> plain JSON Schema, in which named schemas are references.
import type { Json } from "../../src/core/json.ts";
import type { Schema } from "../../src/wire/decode.ts";

/** The part of JSON Schema that the product's schemas use. */
export type SchemaNode = {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: Json;
  readonly anyOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly patternProperties?: { readonly [pattern: string]: SchemaNode };
  readonly items?: SchemaNode;
  readonly pattern?: string;
  /** A description of the pattern in words. */
  readonly patternErrorMessage?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: Json;
  readonly title?: string;
  readonly description?: string;
};

/** Schemas by the names that references use. */
export type NamedSchemas = Readonly<Record<string, Schema>>;

// The place of named schemas in an OpenAPI document.
const SCHEMAS_PATH = "#/components/schemas/";

/** A schema as plain JSON; named schemas inside it become references. */
export function plainSchema(schema: Schema, named: NamedSchemas): SchemaNode {
  const names = new Map<unknown, string>(Object.entries(named).map(([name, each]) => [each, name]));
  const plain: SchemaNode = JSON.parse(JSON.stringify(replaceNamed(schema, schema, names)));
  return plain;
}

/** A reference to a named schema. */
export function referTo(name: string): SchemaNode {
  return { $ref: `${SCHEMAS_PATH}${name}` };
}

/** The name that a reference points to, or undefined. */
export function nameOf({ $ref }: SchemaNode): string | undefined {
  return $ref?.startsWith(SCHEMAS_PATH) === true ? $ref.slice(SCHEMAS_PATH.length) : undefined;
}

function replaceNamed(value: unknown, root: unknown, names: ReadonlyMap<unknown, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => replaceNamed(each, root, names));
  if (typeof value !== "object" || value === null) return value;
  const name = value === root ? undefined : names.get(value);
  if (name !== undefined) return referTo(name);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replaceNamed(each, root, names)]));
}
