// A route as data: its input, its answer, and its text in the reference. The sockets' apps, the OpenAPI documents and the
// reference pages derive from tables of routes. A handler is attached by the name of its route.
import type { Json } from "../core/json.ts";
import type { Problem, ProblemCode } from "../core/problem.ts";
import type { Decoded, Schema } from "./decode.ts";

/** The name of a route: method and path, in which `:id` stands for one part. */
export type RouteName = `${"GET" | "POST"} /${string}`;

/** A JSON body that a route takes. */
type RouteBody = {
  readonly schema: Schema;
  /** Whether an empty body stands for an empty object. */
  readonly optional?: true;
  /** Whether numbers and nesting must be within the limits of conditions; a body beyond them is answered with 422. */
  readonly bounded?: true;
  /** Returns a problem of the shape that the schema cannot express, or null. The schema has validated the body before. */
  check?(body: unknown): Problem | null;
  readonly example: Json;
};

/** A route without its handler. */
export type Route = {
  /** Its name in the log, for example `agent.check`. */
  readonly operation: string;
  /** Its purpose, in a few words. */
  readonly summary: string;
  /** Whole sentences, Markdown. */
  readonly description: string;
  /** The meaning of the `:part` of the path, with an example. */
  readonly path?: { readonly description: string; readonly example: string };
  /** The query parameters: an object schema whose members are unions of literals. */
  readonly query?: Schema;
  readonly body?: RouteBody;
  /** Whether a request must carry a session token. */
  readonly token?: true;
  readonly answer: {
    readonly status: 200 | 201;
    readonly schema: Schema;
    readonly example: Json;
    /** A header that some of its answers have; the description says which. */
    readonly header?: { readonly name: string; readonly description: string; readonly pattern: string };
  };
  /** The errors of this route alone; the errors of every route are in `CommonProblems`. */
  readonly problems: readonly ProblemCode[];
};

/** The routes of a socket by their names, in the order of the reference. */
export type Routes<R extends Route = Route> = Readonly<Record<RouteName, R>>;

/** The routes of a table with their names, in its order. */
export function entriesOf<R extends Route>(routes: Routes<R>): readonly (readonly [RouteName, R])[] {
  return Object.entries(routes).flatMap(([name, route]) => isRouteName(name) ? [[name, route] as const] : []);
}

/** The names of a table's routes, in its order. */
export function namesOf(routes: Routes): readonly RouteName[] {
  return entriesOf(routes).map(([name]) => name);
}

function isRouteName(text: string): text is RouteName {
  return /^(GET|POST) \//.test(text);
}

/** The errors that the routes of a socket have in common. */
export type CommonProblems = {
  /** Errors of any request. */
  readonly always: readonly ProblemCode[];
  /** Errors of a body, for routes that take one. */
  readonly ofBodies: readonly ProblemCode[];
  /** Errors of a token, for routes that need one. */
  readonly ofTokens: readonly ProblemCode[];
};

/** The errors of a request that fits no route. */
export const OF_NO_ROUTE: readonly ProblemCode[] = ["daemon.not-found", "daemon.method"];

/** Every error of a route. */
export function problemsOf({ always, ofBodies, ofTokens }: CommonProblems, route: Route): readonly ProblemCode[] {
  return [
    ...always,
    ...(route.body === undefined ? [] : ofBodies),
    ...(route.token === undefined ? [] : ofTokens),
    ...route.problems,
  ];
}

/** Every error that a socket may answer: the closed list of its codes. */
export function codesOf(routes: Routes, common: CommonProblems): ReadonlySet<ProblemCode> {
  return new Set([...OF_NO_ROUTE, ...Object.values(routes).flatMap((route) => problemsOf(common, route))]);
}

/** The `:parts` of a path, by their names. */
export type ParamsOf<Name extends string> = Name extends `${string}/:${infer Part}/${infer Rest}`
  ? { readonly [Each in Part]: string } & ParamsOf<`/${Rest}`>
  : Name extends `${string}/:${infer Part}` ? { readonly [Each in Part]: string }
  : unknown;

/** The body that a route's handler gets. */
export type BodyOf<R> = R extends { readonly body: { readonly schema: infer S extends Schema } } ? Decoded<S>
  : undefined;

/** The query that a route's handler gets. */
export type QueryOf<R> = R extends { readonly query: infer S extends Schema } ? Decoded<S> : undefined;

/** The data that a route answers with; lists in it may be read-only. */
export type DataOf<R extends Route> = Decoded<R["answer"]["schema"]> extends (infer Item)[] ? readonly Item[]
  : Decoded<R["answer"]["schema"]>;
