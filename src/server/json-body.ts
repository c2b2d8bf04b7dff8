// Body text -> JSON, and schema errors of a request in words.
import type { ValidationError } from "elysia";
import { checkJson, type Json } from "../core/json.ts";
import { describeJsonFault, parseJson } from "../core/parse-json.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { describeMismatch } from "../wire/decode.ts";
import { exchangeOf } from "./exchange.ts";

/** The refusal of a body over the limit. */
export const TOO_LARGE = problem("daemon.too-large", "request body too large");

/** Makes the body parser of a route. A bad body becomes null, which no schema takes, and its problem is kept on the exchange. */
export function bodyReader(read: (request: Request) => Result<unknown, Problem>) {
  return ({ request }: { readonly request: Request }): unknown => {
    const body = read(request);
    if (body.ok) return body.value;
    exchangeOf(request).bodyProblem = body.error;
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

/** The body as JSON; no body at all stands for an empty object. */
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

/** The problem of a query or a body that does not fit its schema. */
export function shapeProblem(error: Readonly<ValidationError>): Problem {
  const { valueError, type } = error;
  const noun = type === "query" ? "parameter" : "member";
  const found = valueError === undefined ? "it does not have the expected shape" : mismatchText(valueError, noun);
  return problem("daemon.invalid-request", `invalid request: ${found}`);
}

function mismatchText(...mismatch: Parameters<typeof describeMismatch>): string {
  const { message, hint } = describeMismatch(...mismatch);
  return hint === undefined ? message : `${message} (${hint})`;
}
