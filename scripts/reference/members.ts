// A schema -> the rows of a table of its members: name, type, whether it is required, meaning.
import { fail } from "../failure.ts";
import { anchor, code, words } from "./markdown.ts";
import { nameOf, type SchemaNode } from "./schema.ts";

/** A member of an object; a member of a nested object has a path as its name. */
export type Member = {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
  readonly default: string;
};

/** The schemas that a reference can point to. */
export type Components = { readonly [name: string]: SchemaNode };

/** The members of an object, each followed by the members inside it. It is a failure if one has no description. */
export function membersOf(schema: SchemaNode, components: Components, prefix = ""): readonly Member[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, each]): readonly Member[] => {
    const path = `${prefix}${name}`;
    const meaning = each.description ?? components[nameOf(each) ?? ""]?.description;
    if (meaning === undefined) return fail(`member "${path}" has no description`);
    const member = {
      name: path,
      type: typeText(each),
      isRequired: required.includes(name),
      meaning,
      default: each.default === undefined ? "" : code(JSON.stringify(each.default)),
    };
    return [member, ...innerMembers(each, components, path)];
  });
}

function innerMembers(schema: SchemaNode, components: Components, path: string): readonly Member[] {
  const [inner] = schema.anyOf?.filter((each) => each.properties !== undefined) ?? [];
  if (inner !== undefined) return membersOf(inner, components, `${path}.`);
  if (schema.properties !== undefined) return membersOf(schema, components, `${path}.`);
  return schema.items?.properties === undefined ? [] : membersOf(schema.items, components, `${path}[].`);
}

/** The type of a schema in words. */
export function typeText(schema: SchemaNode): string {
  const name = nameOf(schema);
  if (name !== undefined) return `[${name}](#${anchor(name)})`;
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.anyOf !== undefined) return words(schema.anyOf.map(typeText));
  switch (schema.type) {
    case "array":
      return `list of ${plural(typeText(schema.items ?? {}))}`;
    case "object":
      return mapText(schema);
    case "integer":
      return `integer${rangeText(schema)}`;
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case undefined:
      return "anything";
    default:
      return schema.type;
  }
}

function rangeText({ minimum, maximum }: SchemaNode): string {
  if (minimum === undefined && maximum === undefined) return "";
  if (maximum === undefined) return ` from ${minimum}`;
  return `, ${minimum ?? ""} to ${maximum === Number.MAX_SAFE_INTEGER ? "2^53-1" : maximum}`;
}

function mapText({ patternProperties }: SchemaNode): string {
  const [values] = Object.values(patternProperties ?? {});
  if (values === undefined) return "object";
  return values.type === undefined ? "map" : `map of ${plural(typeText(values))}`;
}

function plural(type: string): string {
  return /^[a-z]+$/.test(type) && type !== "anything" ? `${type}s` : type;
}
