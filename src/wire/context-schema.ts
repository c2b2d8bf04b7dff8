// The evaluation context as it comes over the host socket and from files: closed maps, derived from the context table.
// Members of a namespace may be left out. Members that only hooks may write are not accepted.
import { type TSchema, Type } from "@sinclair/typebox";
import { flag, text, texts, whole } from "./described.ts";
import type { Context } from "../core/context.ts";
import type { MemberRow, NamespaceRow, VariableRow } from "../core/context-member.ts";
import { CONTEXT_NAMESPACES, CONTEXT_VARIABLES } from "../core/context-table.ts";
import type { JsonObject } from "../core/json.ts";

const closed = { additionalProperties: false };

/** A map whose values are any JSON. */
export const JsonMap = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));

/** The schema of one context; the reference of the rule language has its sentences too. */
export const ContextSchema = Type.Unsafe<Context>(Type.Object({
  ...optional(CONTEXT_NAMESPACES, schemaOfNamespace),
  ...optional(inputs(), schemaOf),
}, { ...closed, description: "What a request is about. A namespace that is left out is absent." }));

function schemaOfNamespace({ meaning, members }: NamespaceRow): TSchema {
  return Type.Object(optional(members, schemaOf), { ...closed, description: meaning });
}

function inputs(): Readonly<Record<string, VariableRow>> {
  return Object.fromEntries(Object.entries<VariableRow>(CONTEXT_VARIABLES).filter(([, { isInput }]) => isInput));
}

function optional<Row>(
  rows: Readonly<Record<string, Row>>,
  schema: (row: Row) => TSchema,
): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, Type.Optional(schema(row))]));
}

function schemaOf({ type, meaning, bounds }: Pick<MemberRow, "type" | "meaning" | "bounds">): TSchema {
  switch (type) {
    case "string":
      return text(meaning);
    case "int":
      return whole(meaning, bounds);
    case "bool":
      return flag(meaning);
    case "list<string>":
      return texts(meaning);
    case "map<string, string>":
      return Type.Record(Type.String(), Type.String(), { description: meaning });
    case "map<string, dyn>":
      return Type.Record(Type.String(), Type.Unknown(), { description: meaning });
  }
}
