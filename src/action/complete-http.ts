// The `http` namespace of a context from outside -> its canonical form: method in capitals, header names in lower case, host
// and path as they would be in an agent's request.
import type { HttpContext } from "../core/context.ts";
import type { Problem } from "../core/problem.ts";
import { quote } from "../core/quote.ts";
import { ok, type Result } from "../core/result.ts";
import { canonicalHost } from "./canonical-host.ts";
import { canonicalPath } from "./network-target.ts";
import { refuse } from "./refusal.ts";

/** Returns the canonical namespace, or a problem that names the first wrong member. An empty text is kept. */
export function completeHttp(given: HttpContext): Result<HttpContext, Problem> {
  const method = given.method ? canonicalMethod(given.method, "http.method") : ok(given.method);
  if (!method.ok) return method;
  const path = given.path ? canonicalPath(given.path) : ok(given.path);
  if (!path.ok) return path;
  const host = given.host ? canonicalHost(given.host) : ok(null);
  if (!host.ok) return host;
  const headers = given.headers === undefined ? ok(undefined) : canonicalHeaders(given.headers);
  if (!headers.ok) return headers;
  return ok({
    ...given,
    ...(method.value === undefined ? {} : { method: method.value }),
    ...(path.value === undefined ? {} : { path: path.value }),
    ...(host.value === null ? {} : { host: host.value.hostname }),
    ...(given.scheme === undefined ? {} : { scheme: given.scheme.toLowerCase() }),
    ...(headers.value === undefined ? {} : { headers: headers.value }),
  });
}

/** A token of RFC 9110. It is ASCII, so that changing its case is the same everywhere. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Returns a method in capitals; `name` names the member in the message. */
export function canonicalMethod(method: string, name: string): Result<string, Problem> {
  return TOKEN.test(method) ? ok(method.toUpperCase()) : refuse(`${name} is no HTTP method`);
}

function canonicalHeaders(given: NonNullable<HttpContext["headers"]>): Result<HttpContext["headers"], Problem> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    if (!TOKEN.test(name)) return refuse(`header name ${quote(name)} is not an HTTP token`);
    const canonical = name.toLowerCase();
    if (headers.has(canonical)) return refuse(`header ${quote(canonical)} is given twice`);
    headers.set(canonical, value);
  }
  return ok(Object.fromEntries(headers));
}
