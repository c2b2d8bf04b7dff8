// The description of a socket for the reference, and its routes in the order of their table.
import { type CommonProblems, entriesOf, type Route as RouteEntry, type Routes } from "../../src/wire/route.ts";
import { type NamedSchemas, plainSchema } from "./schema.ts";

/** A socket: its routes, and the properties that all of them share. */
export type SocketReference = {
  readonly title: string;
  readonly socket: string;
  readonly description: string;
  /** The route table that the daemon uses. */
  readonly routes: Routes;
  readonly problems: CommonProblems;
  readonly schemas: NamedSchemas;
};

/** A route with its entry in the table. */
export type Route = { readonly method: "get" | "post"; readonly path: string; readonly entry: RouteEntry };

/** The routes in the table's order. */
export function routesOf({ routes }: SocketReference): readonly Route[] {
  return entriesOf(routes).map(([name, entry]) => {
    const [method, path = ""] = name.split(" ");
    return { method: method === "GET" ? "get" : "post", path, entry };
  });
}

/** A query parameter: its name, its possible values, and its purpose. */
export type QueryParameter = {
  readonly name: string;
  readonly values: readonly string[];
  readonly description: string;
};

/** The parameters of a route's query, from its schema. */
export function parametersOf(query: RouteEntry["query"]): readonly QueryParameter[] {
  if (query === undefined) return [];
  const { properties = {} } = plainSchema(query, {});
  return Object.entries(properties).map(([name, { anyOf = [], description = "" }]) => {
    return { name, description, values: anyOf.map((each) => String(each.const)) };
  });
}
