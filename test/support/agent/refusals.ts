// Requests that the agent socket refuses: one for each status and each reason, and requests with two faults.
import type { RawRequest } from "../socket/raw-http.ts";

/** The route that asks for permission. */
export const CHECK = "/v1/permissions/check";

/** The request that the test's rules allow. */
export const ALLOWED = { action_type: "tool_exec", target: "/bin/echo" };

/** The largest body in bytes. */
export const BODY_LIMIT = 65_536;

/** The header of a token. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** The error code of a malformed request, by status. */
export const CODE_OF: Readonly<Record<number, string>> = {
  400: "daemon.invalid-request",
  401: "session.bad-token",
  404: "daemon.not-found",
  405: "daemon.method",
  413: "daemon.too-large",
  415: "daemon.media-type",
  422: "daemon.unprocessable",
};

const BAD_TOKEN = "invalid or missing session token";
/** A request that is refused although it has the container's own token. */
export type Refusal = {
  readonly note: string;
  readonly status: number;
  readonly error: string;
  readonly request: (token: string) => RawRequest;
};

/** One case for each status and each reason. */
export const REFUSALS: readonly Refusal[] = [
  {
    note: "no body where one is needed",
    status: 415,
    error: "content-type must be application/json",
    request: () => ({ path: CHECK }),
  },
  {
    note: "no JSON (EC-003)",
    status: 400,
    error: "request body is not valid JSON",
    request: (token) => ({ path: CHECK, headers: bearer(token), body: "{" }),
  },
  {
    note: "a member twice",
    status: 400,
    error: 'invalid request: duplicate member "target"',
    request: (token) => ({
      path: CHECK,
      headers: bearer(token),
      body: '{"action_type": "tool_exec", "target": "/bin/rm", "target": "/bin/echo"}',
    }),
  },
  {
    note: "a backslash in the path of a URL",
    status: 422,
    error: "path has a backslash, or a percent-encoded slash, backslash or dot",
    request: (token) => ({
      path: CHECK,
      headers: bearer(token),
      body: { action_type: "network_call", target: "https://h/private\\..\\public" },
    }),
  },
  {
    note: "wrong type (EC-003)",
    status: 400,
    error: 'invalid request: "target": expected string',
    request: (token) => ({ path: CHECK, headers: bearer(token), body: { ...ALLOWED, target: 1 } }),
  },
  {
    note: "a list",
    status: 400,
    error: "invalid request: the body: expected object",
    request: (token) => ({ path: CHECK, headers: bearer(token), body: [] }),
  },
  {
    note: "null",
    status: 400,
    error: "invalid request: the body: expected object",
    request: (token) => ({ path: CHECK, headers: bearer(token), body: "null" }),
  },
  {
    note: "missing member",
    status: 400,
    error: 'invalid request: missing member "target"',
    request: (token) => ({ path: CHECK, headers: bearer(token), body: { action_type: "tool_exec" } }),
  },
  {
    note: "unknown member, with the nearest name",
    status: 400,
    error: 'invalid request: unknown member "metdata" (did you mean "metadata"?)',
    request: (token) => ({ path: CHECK, headers: bearer(token), body: { ...ALLOWED, metdata: {} } }),
  },
  {
    note: "a member of every object",
    status: 400,
    error: 'invalid request: unknown member "__proto__"',
    request: (token) => ({
      path: CHECK,
      headers: bearer(token),
      body: '{"__proto__": {"target": "/bin/echo"}, "action_type": "tool_exec", "target": "/bin/echo"}',
    }),
  },
  {
    note: "unknown member of a check-in",
    status: 400,
    error: 'invalid request: unknown member "container_id"',
    request: () => ({ path: "/v1/checkin", body: { container_id: "ctr-000000000000" } }),
  },
  { note: "no token", status: 401, error: BAD_TOKEN, request: () => ({ path: CHECK, body: ALLOWED }) },
  {
    note: "an unknown token (EC-005)",
    status: 401,
    error: BAD_TOKEN,
    request: () => ({ path: CHECK, headers: bearer(`tok-${"A".repeat(43)}`), body: ALLOWED }),
  },
  {
    note: "another scheme",
    status: 401,
    error: BAD_TOKEN,
    request: (token) => ({ path: CHECK, headers: { authorization: `Basic ${token}` }, body: ALLOWED }),
  },
  {
    note: "a wrong token in the header beside the right one in the body",
    status: 401,
    error: BAD_TOKEN,
    request: (token) => ({ path: CHECK, headers: bearer("tok-x"), body: { ...ALLOWED, session_token: token } }),
  },
  {
    note: "a wrong token in the body beside the right one in the header",
    status: 401,
    error: BAD_TOKEN,
    request: (token) => ({ path: CHECK, headers: bearer(token), body: { ...ALLOWED, session_token: "tok-x" } }),
  },
  {
    note: "an empty header beside the right token in the body",
    status: 401,
    error: BAD_TOKEN,
    request: (token) => ({ path: CHECK, headers: bearer(""), body: { ...ALLOWED, session_token: token } }),
  },
  { note: "unknown path", status: 404, error: "not found", request: () => ({ path: "/v1/nothing" }) },
  {
    note: "a path with a slash behind it",
    status: 404,
    error: "not found",
    request: () => ({ path: "/v1/checkin/" }),
  },
  { note: "another case", status: 404, error: "not found", request: () => ({ path: "/V1/checkin" }) },
  {
    note: "wrong method",
    status: 405,
    error: "method not allowed",
    request: () => ({ method: "GET", path: "/v1/checkin" }),
  },
  {
    note: "a method of its own",
    status: 405,
    error: "method not allowed",
    request: () => ({ method: "PROPFIND", path: CHECK }),
  },
  {
    note: "the method that echoes",
    status: 405,
    error: "method not allowed",
    request: () => ({ method: "TRACE", path: CHECK }),
  },
  {
    note: "too large by a byte",
    status: 413,
    error: "request body too large",
    request: (token) => ({ path: CHECK, headers: bearer(token), body: "x".repeat(BODY_LIMIT + 1) }),
  },
  {
    note: "too large for a path that does not exist",
    status: 413,
    error: "request body too large",
    request: () => ({ path: "/v1/nothing", body: "x".repeat(BODY_LIMIT + 1) }),
  },
  {
    note: "another media type",
    status: 415,
    error: "content-type must be application/json",
    request: (token) => ({ path: CHECK, headers: { ...bearer(token), "content-type": "text/plain" }, body: ALLOWED }),
  },
  {
    note: "another character set",
    status: 415,
    error: "content-type must be application/json",
    request: (token) => ({
      path: CHECK,
      headers: { ...bearer(token), "content-type": "application/json; charset=latin1" },
      body: ALLOWED,
    }),
  },
  {
    note: "a compressed body",
    status: 415,
    error: "content-encoding is not supported",
    request: (token) => ({ path: CHECK, headers: { ...bearer(token), "content-encoding": "gzip" }, body: ALLOWED }),
  },
  {
    note: "unknown action_type",
    status: 422,
    error: 'unknown action_type "fly", known are tool_exec, network_call, file_access, shell_exec',
    request: (token) => ({ path: CHECK, headers: bearer(token), body: { action_type: "fly", target: "x" } }),
  },
  {
    note: "a target that means nothing",
    status: 422,
    error: "target is empty",
    request: (token) => ({ path: CHECK, headers: bearer(token), body: { action_type: "tool_exec", target: "" } }),
  },
  {
    note: "metadata that conditions cannot hold",
    status: 422,
    error: 'metadata "a" is not a string, number, boolean or list of strings',
    request: (token) => ({ path: CHECK, headers: bearer(token), body: { ...ALLOWED, metadata: { a: {} } } }),
  },
  {
    note: "an integer that is none",
    status: 422,
    error: 'metadata "a": integer beyond 2^53-1: "9007199254740992"',
    request: (token) => ({
      path: CHECK,
      headers: bearer(token),
      body: '{"action_type": "tool_exec", "target": "/bin/echo", "metadata": {"a": 9007199254740993}}',
    }),
  },
];
const deep = `{"a": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
/** Requests with two faults, with the status of the check that comes first. */
export const ORDERS: readonly { readonly note: string; readonly status: number; readonly request: RawRequest }[] = [
  {
    note: "size before media type",
    status: 413,
    request: { path: CHECK, headers: { "content-type": "text/plain" }, body: "x".repeat(BODY_LIMIT + 1) },
  },
  {
    note: "media type before JSON",
    status: 415,
    request: { path: CHECK, headers: { "content-type": "text/plain" }, body: "{" },
  },
  { note: "JSON before token", status: 400, request: { path: CHECK, body: "{" } },
  { note: "shape before token", status: 400, request: { path: CHECK, body: { action_type: "fly" } } },
  {
    note: "token before the meaning of the action",
    status: 401,
    request: { path: CHECK, body: { action_type: "fly", target: "" } },
  },
  {
    note: "token before the meaning of a number",
    status: 401,
    request: { path: CHECK, body: '{"action_type": "a", "target": "b", "metadata": {"a": 9007199254740993}}' },
  },
  {
    note: "token before the depth of metadata",
    status: 401,
    request: { path: CHECK, body: `{"action_type": "a", "target": "b", "metadata": ${deep}}` },
  },
];
