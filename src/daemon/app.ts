// What the two apps have in common: one way to read a body, one way to answer an error, one way to know a wrong method from
// an unknown path. They share no route.
import { Elysia, status, type ValidationError } from "elysia";
import { checkJson } from "../core/json.ts";
import { meaningOf, type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { failure } from "../wire/answer.ts";
import { describeMismatch } from "../wire/decode.ts";
import { exchangeOf } from "./exchange.ts";

/** Reports a failure that is a bug of ours. */
export type ReportBug = (cause: unknown) => void;

/** An app without routes: unknown members are errors, and every error has the envelope. */
export function createApp(reportBug: ReportBug, isKnownPath: (path: string) => boolean) {
  return new Elysia({ normalize: false }).onError(({ code, error, request }) => {
    if (code === "NOT_FOUND") {
      const known = isKnownPath(new URL(request.url).pathname);
      return answerProblem(
        known ? problem("daemon.method", "method not allowed") : problem("daemon.not-found", "not found"),
      );
    }
    if (code === "VALIDATION") {
      const found = exchangeOf(request).bodyProblem ?? shapeProblem(error);
      return answerProblem(found);
    }
    reportBug(error);
    return answerProblem(problem("daemon.internal", "internal error"));
  });
}

/** The answer to a problem: its message with the status of its code. */
export function answerProblem(found: Problem) {
  return status(meaningOf(found.code).status, failure(found.message));
}

/** Reads the body of a route as JSON; what is wrong with it is kept on the exchange and fails the validation that follows. */
export function parseBody({ request }: { readonly request: Request }): unknown {
  const exchange = exchangeOf(request);
  const read = readJson(request, false);
  if (read.ok) return read.value;
  exchange.bodyProblem = read.error;
  return undefined;
}

/** The same for a route whose body may be empty. */
export function parseOptionalBody({ request }: { readonly request: Request }): unknown {
  const exchange = exchangeOf(request);
  const read = readJson(request, true);
  if (read.ok) return read.value;
  exchange.bodyProblem = read.error;
  return undefined;
}

function readJson(request: Request, mayBeEmpty: boolean): Result<unknown, Problem> {
  const { body } = exchangeOf(request);
  if (body.kind === "too-large") return err(problem("daemon.too-large", "request body too large"));
  if (mayBeEmpty && body.kind === "text" && body.text === "") return ok({});
  if (!isJsonType(request.headers.get("content-type"))) {
    return err(problem("daemon.media-type", "content-type must be application/json"));
  }
  if (body.kind === "not-utf8") return err(problem("daemon.invalid-request", "request body is not UTF-8"));
  let value;
  try {
    value = JSON.parse(body.text);
  } catch {
    return err(problem("daemon.invalid-request", "request body is not valid JSON"));
  }
  const numbers = checkJson(value);
  return numbers.ok ? ok(value) : err(problem("daemon.unprocessable", numbers.error));
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
