// What the two apps have in common: the checks that come before any route, one way to read a body, one way to answer an
// error. They share no route.
import { Elysia, status, type ValidationError } from "elysia";
import { checkJson, type Json } from "../core/json.ts";
import { describeJsonFault, parseJson } from "../core/parse-json.ts";
import { meaningOf, type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { failure } from "../wire/answer.ts";
import { describeMismatch } from "../wire/decode.ts";
import { exchangeOf, type Handle } from "./exchange.ts";
import { findMethods } from "./routes.ts";

/** Reports a failure that is a bug of ours. */
export type ReportBug = (cause: unknown) => void;

/** An app: what it answers with, and the routes it really has. */
export type App = { readonly handle: Handle; readonly routes: readonly string[] };

/** What an app is made of besides its routes' handlers. */
export type AppOptions = {
  readonly routes: readonly string[];
  /** Who is asking: the reason why the peer may not, or null; kept for the handlers by whoever asks. */
  readonly admit: (request: Request) => Promise<Problem | null>;
  /** Told of each request that is refused before its handler, or instead of it. */
  readonly noteRefusal: (request: Request, found: Problem) => void;
  readonly reportBug: ReportBug;
};

/** An app without routes: the peer is checked first, then the body's size; unknown members are errors, and every error has the envelope. */
export function createApp({ routes, admit, noteRefusal, reportBug }: AppOptions) {
  const refuse = (request: Request, found: Problem) => {
    noteRefusal(request, found);
    return answerProblem(found);
  };
  return new Elysia({ normalize: false, strictPath: true })
    .onError(({ code, error, request, set }) => {
      if (code === "NOT_FOUND") {
        const { headProblem } = exchangeOf(request);
        const methods = findMethods(routes, new URL(request.url).pathname);
        if (methods.length > 0) set.headers["allow"] = methods.join(", ");
        return refuse(request, headProblem ?? (methods.length > 0 ? WRONG_METHOD : NOT_FOUND));
      }
      if (code === "VALIDATION") return refuse(request, exchangeOf(request).bodyProblem ?? shapeProblem(error));
      reportBug(error);
      return refuse(request, problem("daemon.internal", "internal error"));
    })
    .onRequest(async ({ request }) => {
      const refused = await admit(request) ?? (exchangeOf(request).body.kind === "too-large" ? TOO_LARGE : null);
      return refused === null ? undefined : refuse(request, refused);
    });
}

const WRONG_METHOD = problem("daemon.method", "method not allowed");
const NOT_FOUND = problem("daemon.not-found", "not found");
const TOO_LARGE = problem("daemon.too-large", "request body too large");

/** The answer to a problem: its message with the status of its code. */
export function answerProblem(found: Problem) {
  return status(meaningOf(found.code).status, failure(found.message));
}

/** Makes the reader of a route's body: what is wrong with a body is kept on the exchange and fails the validation that follows. */
export function bodyReader(read: (request: Request) => Result<unknown, Problem>) {
  return ({ request }: { readonly request: Request }): unknown => {
    const body = read(request);
    if (body.ok) return body.value;
    exchangeOf(request).bodyProblem = body.error;
    // No schema of ours takes it.
    return null;
  };
}

/** The body as JSON. */
export function readJson(request: Request): Result<Json, Problem> {
  const { body } = exchangeOf(request);
  if (body.kind === "too-large") return err(TOO_LARGE);
  const { headers } = request;
  if (!isJsonType(headers.get("content-type"))) {
    return err(problem("daemon.media-type", "content-type must be application/json"));
  }
  if ((headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity") {
    return err(problem("daemon.media-type", "content-encoding is not supported"));
  }
  if (body.kind === "not-utf8") return err(problem("daemon.invalid-request", "request body is not UTF-8"));
  const value = parseJson(body.text);
  if (value.ok) return value;
  if (value.error.twice === null) return err(problem("daemon.invalid-request", "request body is not valid JSON"));
  return err(problem("daemon.invalid-request", `invalid request: ${describeJsonFault(value.error)}`));
}

/** The body as JSON, where no body at all stands for an empty object. */
export function readOptionalJson(request: Request): Result<Json, Problem> {
  const { body } = exchangeOf(request);
  return body.kind === "text" && body.text === "" ? ok({}) : readJson(request);
}

/** The body as JSON whose numbers and nesting conditions can hold. */
export function readBoundedJson(request: Request): Result<Json, Problem> {
  const body = readJson(request);
  if (!body.ok) return body;
  const bounded = checkJson(body.value);
  return bounded.ok ? body : err(problem("daemon.unprocessable", bounded.error));
}

function isJsonType(contentType: string | null): boolean {
  const [type, ...parameters] = (contentType ?? "").toLowerCase().split(";").map((part) => part.trim());
  return type === "application/json" && parameters.every((each) => each === "" || /^charset="?utf-8"?$/.test(each));
}

function shapeProblem(error: Readonly<ValidationError>): Problem {
  const found = error.valueError === undefined ? "it does not have the expected shape" : mismatchText(error.valueError);
  return problem("daemon.invalid-request", `invalid request: ${found}`);
}

function mismatchText(error: Parameters<typeof describeMismatch>[0]): string {
  const { message, hint } = describeMismatch(error);
  return hint === undefined ? message : `${message} (${hint})`;
}
