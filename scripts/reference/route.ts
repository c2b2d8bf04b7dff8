// What the reference says of a route besides its schemas, and what the routes of one socket have in common.
import type { Json } from "../../src/core/json.ts";
import type { ProblemCode } from "../../src/core/problem.ts";
import type { Schema } from "../../src/wire/decode.ts";
import { fail } from "../failure.ts";
import type { NamedSchemas } from "./schema.ts";

/** A body that a route takes. */
type RouteBody = {
  readonly schema: Schema;
  /** Whether no body at all stands for an empty object. */
  readonly optional?: true;
  readonly example: Json;
};

/** What stands behind the question mark of a route. */
type RouteQuery = { readonly name: string; readonly values: readonly string[]; readonly description: string };

/** A route. */
export type RouteEntry = {
  /** What it is for, in a few words. */
  readonly summary: string;
  /** Whole sentences, Markdown. */
  readonly description: string;
  readonly body?: RouteBody;
  readonly query?: RouteQuery;
  /** What a part of the path stands for, with an example. */
  readonly path?: { readonly description: string; readonly example: string };
  /** Whether it needs a session token. */
  readonly token?: true;
  readonly answer: { readonly status: 200 | 201; readonly schema: Schema; readonly example: Json };
  /** What it may be refused for, besides what every route of its socket may. */
  readonly problems: readonly ProblemCode[];
};

/** The routes of a socket and what holds for all of them. */
export type SocketReference = {
  readonly title: string;
  readonly socket: string;
  readonly description: string;
  /** The app's own list. */
  readonly routes: readonly string[];
  readonly entries: Readonly<Record<string, RouteEntry>>;
  readonly schemas: NamedSchemas;
  /** What any request may be refused for. */
  readonly always: readonly ProblemCode[];
  /** What is wrong with bodies, where a route takes one. */
  readonly ofBodies: readonly ProblemCode[];
  /** What is wrong with tokens, where a route needs one. */
  readonly ofTokens: readonly ProblemCode[];
};

/** What a request is refused for that is to no route. */
export const OF_NO_ROUTE: readonly ProblemCode[] = ["daemon.not-found", "daemon.method"];

/** A route with its entry. */
export type Route = { readonly method: "get" | "post"; readonly path: string; readonly entry: RouteEntry };

/** The routes in the app's order; fails where the app's list and the entries do not name the same. */
export function routesOf({ title, routes, entries }: SocketReference): readonly Route[] {
  const extra = Object.keys(entries).find((route) => !routes.includes(route));
  if (extra !== undefined) fail(`${title}: an entry for "${extra}", which is no route of the app`);
  return routes.map((route) => {
    const entry = entries[route];
    const [method = "", path = ""] = route.split(" ");
    if (entry === undefined) return fail(`${title}: route "${route}" has no entry`);
    if (method !== "GET" && method !== "POST") return fail(`${title}: route "${route}" has another method`);
    return { method: method === "GET" ? "get" : "post", path, entry };
  });
}

/** Everything that a route may be refused for. */
export function problemsOf({ always, ofBodies, ofTokens }: SocketReference, entry: RouteEntry): readonly ProblemCode[] {
  return [
    ...always,
    ...(entry.body === undefined ? [] : ofBodies),
    ...(entry.token === undefined ? [] : ofTokens),
    ...entry.problems,
  ];
}
