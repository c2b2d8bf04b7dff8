// Context: what a request is about, in the words that conditions use (S003-FR-005). The types and lists here are derived
// from the context table. An absent namespace is an absent member; a member left out of a present namespace has its zero value.
import type { FieldType, Subject, ValueOf } from "./context-member.ts";
import { CONTEXT_NAMESPACES, CONTEXT_VARIABLES } from "./context-table.ts";

export type { FieldType };

type Namespaces = typeof CONTEXT_NAMESPACES;
type Variables = typeof CONTEXT_VARIABLES;

/** The name of a namespace. */
export type Namespace = keyof Namespaces;

type InputVariable = {
  readonly [Name in keyof Variables]: Variables[Name] extends { readonly isInput: true } ? Name : never;
}[keyof Variables];

/** The members of one namespace in a request. */
export type NamespaceContext<Name extends Namespace> = {
  readonly [Member in keyof Namespaces[Name]["members"]]?: Namespaces[Name]["members"][Member] extends
    { readonly type: infer Type extends FieldType } ? ValueOf<Type> : never;
};

/** A connection. */
export type NetworkContext = NamespaceContext<"network">;

/** An HTTP request; header names are lower-case. */
export type HttpContext = NamespaceContext<"http">;

/** A program to run; `parsed` is false when the command line could not be parsed. */
export type RunContext = NamespaceContext<"run">;

/** The newest envelope of the container's present instance. */
export type EnvelopeContext = NamespaceContext<"envelope">;

/** Everything that a rule can read of one request, except the values that hooks add. */
export type Context =
  & { readonly [Name in Namespace]?: NamespaceContext<Name> }
  & { readonly [Name in InputVariable]?: ValueOf<Variables[Name]["type"]> };

/** The types of each namespace's members, in the order of the table. */
export const NAMESPACES: Readonly<Record<string, Readonly<Record<string, FieldType>>>> = mapValues(
  CONTEXT_NAMESPACES,
  ({ members }) => mapValues(members, typeOf),
);

/** The types of the variables that are not namespaces. */
export const VARIABLES: Readonly<Record<string, FieldType>> = mapValues(CONTEXT_VARIABLES, typeOf);

/** The variables that every request has. */
export const ALWAYS_GIVEN: ReadonlySet<string> = new Set(
  Object.entries(CONTEXT_VARIABLES).flatMap(([name, { isAlwaysGiven }]) => (isAlwaysGiven ? [name] : [])),
);

/** The maps of a context whose keys a request may lack, such as `http.headers` and `metadata`. */
export const OPEN_MAPS: ReadonlySet<string> = new Set([
  ...Object.entries(NAMESPACES).flatMap(([namespace, members]) =>
    mapsOf(members).map((name) => `${namespace}.${name}`)
  ),
  ...mapsOf(VARIABLES),
]);

/** The namespaces that no request has together with this one, because a request is about one subject only. */
export function exclusiveOf(namespace: Namespace): readonly string[] {
  const { subject }: { readonly subject: Subject | null } = CONTEXT_NAMESPACES[namespace];
  if (subject === null) return [];
  return Object.entries(CONTEXT_NAMESPACES).flatMap(([name, other]) => {
    return other.subject === null || other.subject === subject ? [] : [name];
  });
}

function typeOf({ type }: { readonly type: FieldType }): FieldType {
  return type;
}

function mapsOf(types: Readonly<Record<string, FieldType>>): readonly string[] {
  return Object.entries(types).flatMap(([name, type]) => (type.startsWith("map<") ? [name] : []));
}

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
