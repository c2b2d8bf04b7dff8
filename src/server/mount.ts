// A table of routes and its handlers -> an app. Each request is checked in one order: identity, size of the body, route, shape
// of query and body, then the socket's own checks (token, rate, rights). Then its handler is called.
import { Elysia, status } from "elysia";
import type { Clock } from "../core/clock.ts";
import { invariant } from "../core/invariant.ts";
import { meaningOf, type Problem, problem, type ProblemCode } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import type { LogFields } from "../log/logger.ts";
import { failure, success } from "../wire/answer.ts";
import { entriesOf, type Route, type Routes } from "../wire/route.ts";
import { bodyReader, readBoundedJson, readJson, readOptionalJson, shapeProblem, TOO_LARGE } from "./json-body.ts";
import { exchangeOf, type Handle } from "./exchange.ts";
import type { AnyHandler, Handlers } from "./handler.ts";
import { findMethods, findRoute } from "./routes.ts";

/** Reports a bug of the daemon. */
export type ReportBug = (cause: unknown) => void;

/** An app: the function that answers requests, and the routes that Elysia has. */
export type App = { readonly handle: Handle; readonly routes: readonly string[] };

/** The identity of a peer, and the reason if its request is refused. A peer without an identity is always refused. */
export type Identified<Caller> =
  | { readonly caller: Caller; readonly refused: Problem | null }
  | { readonly caller: null; readonly refused: Problem };

/** A request whose shape is right and whose handler has not been called. */
export type Asked<R extends Route, Caller> = {
  readonly request: Request;
  readonly route: R;
  readonly caller: Caller;
  readonly body: unknown;
};

/** A request that was refused. */
type Refusal<Caller> = {
  readonly request: Request;
  readonly found: Problem;
  /** The operation of its route; undefined if no route takes the request. */
  readonly operation: string | undefined;
  /** Null if the peer was not identified. */
  readonly caller: Caller | null;
  /** Whether the handler refused it, and not an earlier check. */
  readonly byHandler: boolean;
};

/** A request that was answered with data. */
type Answer<Caller> = {
  readonly operation: string;
  readonly caller: Caller;
  readonly status: number;
  /** The time when the shape of the request had been validated. */
  readonly startMs: number;
  /** The fields that the handler noted. */
  readonly fields: LogFields;
};

/** The checks and notes of a socket before and after its handlers. */
export type AppOptions<R extends Route, Caller> = {
  /** The codes that answers of this socket may have. Another code is a bug, answered as an internal error. Null: all codes. */
  readonly codes: ReadonlySet<ProblemCode> | null;
  /** Called before any part of the request is read. */
  readonly identify: (request: Request) => Promise<Identified<Caller>>;
  /** Returns the reason why this caller may not use this route now, or null. */
  readonly permit: (asked: Asked<R, Caller>) => Promise<Problem | null>;
  readonly noteRefusal: (refusal: Refusal<Caller>) => void;
  readonly noteAnswer: (answer: Answer<Caller>) => void;
  readonly reportBug: ReportBug;
  readonly clock: Clock;
};

/** Makes the app of a table; unknown members of a body are errors, and every error has the envelope. */
export function createApp<R extends Route, T extends Routes<R>, Caller>(
  routes: T & Routes<R>,
  handlers: Handlers<T, Caller> & Readonly<Record<string, AnyHandler<Caller>>>,
  options: AppOptions<R, Caller>,
): App {
  const table = new Map(entriesOf(routes));
  const names = [...table.keys()];
  const anyHandler: Readonly<Record<string, AnyHandler<Caller>>> = handlers;
  const refuse = (request: Request, found: Problem, caller: Caller | null, byHandler = false) => {
    const name = findRoute(names, request.method, new URL(request.url).pathname);
    const operation = name === undefined ? undefined : table.get(name)?.operation;
    options.noteRefusal({ request, found, operation, caller, byHandler });
    return answerProblem(found, options);
  };
  const app = new Elysia({ normalize: false, strictPath: true })
    .decorate("caller", notIdentified<Caller>())
    .onError(({ code, error, request, set, caller }) => {
      if (code === "NOT_FOUND") {
        const { headProblem } = exchangeOf(request);
        const methods = findMethods(names, new URL(request.url).pathname);
        if (methods.length > 0) set.headers["allow"] = methods.join(", ");
        return refuse(request, headProblem ?? (methods.length > 0 ? WRONG_METHOD : NOT_FOUND), caller);
      }
      if (code === "VALIDATION") {
        return refuse(request, exchangeOf(request).bodyProblem ?? shapeProblem(error), caller);
      }
      options.reportBug(error);
      return refuse(request, INTERNAL, caller);
    })
    // Before routing, so that an unidentified peer does not even learn which routes there are.
    .onRequest(async (context) => {
      const { request } = context;
      const { caller, refused } = await options.identify(request);
      context.caller = caller;
      const found = refused ?? (exchangeOf(request).body.kind === "too-large" ? TOO_LARGE : null);
      return found === null ? undefined : refuse(request, found, caller);
    });
  for (const [name, route] of table) {
    const handler = anyHandler[name];
    invariant(handler !== undefined, "every route of a table has a handler");
    const answer = async (request: Request, caller: Caller | null, given: Given) => {
      invariant(caller !== null, "no handler runs for a peer that is not identified");
      const startMs = options.clock.monotonicMs();
      const refused = route.body?.check?.(given.body) ??
        await options.permit({ request, route, caller, body: given.body });
      if (refused !== null) return refuse(request, refused, caller);
      const fields: Record<string, LogFields[string]> = {};
      const note = (more: LogFields) => void Object.assign(fields, more);
      const result = await handler({ ...given, caller, exchange: exchangeOf(request), note });
      if (!result.ok) return refuse(request, result.error, caller, true);
      const { operation, answer: { status: done } } = route;
      options.noteAnswer({ operation, caller, status: done, startMs, fields });
      return done === 200 ? success(result.value) : status(done, success(result.value));
    };
    const [method = "", path = ""] = name.split(" ");
    const { query, body } = route;
    // Elysia reads the source of these functions, and prepares only the parts of a request that they name.
    if (query !== undefined) {
      app.route(method, path, ({ request, caller, params, query }) => {
        const twice = repeatedName(request);
        if (twice !== null) return refuse(request, twice, caller);
        return answer(request, caller, { params, query, body: undefined });
      }, { query });
    } else if (body === undefined) {
      app.route(method, path, ({ request, caller, params }) => {
        return answer(request, caller, { params, query: undefined, body: undefined });
      });
    } else {
      const read = body.optional === true ? readOptionalJson : body.bounded === true ? readBoundedJson : readJson;
      app.route(method, path, ({ request, caller, params, body }) => {
        return answer(request, caller, { params, query: undefined, body });
      }, { body: body.schema, parse: bodyReader(read) });
    }
  }
  const served = app.routes.map(({ method, path }) => `${method} ${path}`);
  return { handle: async (request) => await app.handle(request), routes: served };
}

type Given = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

const WRONG_METHOD = problem("daemon.method", "method not allowed");
const NOT_FOUND = problem("daemon.not-found", "not found");
const INTERNAL = problem("daemon.internal", "internal error");

// The caller before the peer is identified; Elysia puts it into the context of each request.
function notIdentified<Caller>(): Caller | null {
  return null;
}

function answerProblem(found: Problem, { codes, reportBug }: Pick<AppOptions<Route, never>, "codes" | "reportBug">) {
  const listed = codes === null || codes.has(found.code);
  if (!listed) reportBug(new Error(`the socket's table does not list ${found.code}: ${found.message}`));
  const answered = listed ? found : INTERNAL;
  return status(meaningOf(answered.code).status, failure(answered));
}

// Elysia would take the last of two values, and another reader the first, so a repeated parameter is refused.
function repeatedName({ url }: Request): Problem | null {
  const names = [...new URL(url).searchParams.keys()];
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return null;
  return problem("daemon.invalid-request", `invalid request: parameter ${quote(twice)} is given twice`);
}
