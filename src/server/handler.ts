// The type of a route's handler, from the route's entry in its table: a handler that is missing, or that gives data of
// another shape than the route answers, does not compile.
import type { Problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import type { LogFields } from "../log/logger.ts";
import type { BodyOf, DataOf, ParamsOf, QueryOf, Route, RouteName, Routes } from "../wire/route.ts";
import type { Exchange } from "./exchange.ts";

/** A request that has passed every check before its handler. */
type CallParts<Caller, Params, Query, Body> = {
  /** The identity of the peer. */
  readonly caller: Caller;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly exchange: Exchange;
  /** Adds members to the log line of the answer. */
  readonly note: (fields: LogFields) => void;
};

/** A request to one route. */
type Call<Name extends RouteName, R extends Route, Caller> = CallParts<
  Caller,
  ParamsOf<Name>,
  QueryOf<R>,
  BodyOf<R>
>;

type Answered<T> = Result<T, Problem> | Promise<Result<T, Problem>>;

/** Answers requests to one route. */
type Handler<Name extends RouteName, R extends Route, Caller> = (
  call: Call<Name, R, Caller>,
) => Answered<DataOf<R>>;

/** The handlers of a table, one for each of its routes. */
export type Handlers<T extends Routes, Caller> = {
  readonly [Name in keyof T & RouteName]: Handler<Name, T[Name], Caller>;
};

// Declared as a method, so that TypeScript accepts a handler of one route as a handler of any route. That is safe, because the
// schemas of its own route have validated its input.
type Untyped<Caller> = { handle(call: CallParts<Caller, unknown, unknown, unknown>): Answered<unknown> };

/** A handler whose route is not known to the compiler. */
export type AnyHandler<Caller> = Untyped<Caller>["handle"];
