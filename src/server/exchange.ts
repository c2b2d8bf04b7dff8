// One request on one connection, as an app sees it: the peer, and the body as text, read under a limit before any handler
// runs. Elysia gets a Request that is built here from checked parts, so that a client cannot steer routing.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Container } from "../container/container.ts";
import type { Peer } from "../peer/peer.ts";
import { systemClock } from "../core/clock.ts";
import { type Problem, problem } from "../core/problem.ts";
import type { Result } from "../core/result.ts";
import { invariant } from "../core/invariant.ts";
import { RECORD_HEADER } from "../wire/agent-api.ts";

/** A connection as the apps see it. */
export type Connection = {
  /** The peer as the kernel named it at accept, or the problem if the kernel did not. */
  readonly peer: Result<Peer, Problem>;
  /** Counts the connection for a container; false if the container has too many. */
  readonly countFor: (container: Container) => boolean;
};

/** A request body: its text, or the reason why there is none. */
export type Body =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-utf8" };

/** The parts of a request that Elysia does not get. */
export type Exchange = {
  readonly connection: Connection;
  readonly body: Body;
  /** The time when the whole request had arrived, by the monotonic clock. */
  readonly arrivedMs: number;
  /** The problem of the request line or headers, found before any route is chosen; null: none. */
  readonly headProblem: Problem | null;
  /** The problem of the body, set when a route reads it; null: none. */
  bodyProblem: Problem | null;
  /** The value of `Retry-After` in seconds; null: the answer has no such header. */
  retryAfterSeconds: number | null;
  /** The id of the record of a denial, for the `outcall-record` header. */
  recordId: string | null;
  /** Whether the answer is the last one of the connection. */
  isLast: boolean;
};

/** Answers a request. */
export type Handle = (request: Request) => Promise<Response>;

// A request that carries its exchange through Elysia.
class ExchangeRequest extends Request {
  readonly exchange: Exchange;

  constructor(url: string, init: RequestInit, exchange: Exchange) {
    super(url, init);
    this.exchange = exchange;
  }
}

/** The exchange of a request that `requestOf` made. */
export function exchangeOf(request: Request): Exchange {
  invariant(request instanceof ExchangeRequest, "every request that reaches an app has an exchange");
  return request.exchange;
}

/** How long ago a request arrived, in milliseconds. */
export function ageMs({ arrivedMs }: Exchange): number {
  return systemClock.monotonicMs() - arrivedMs;
}

/** Elysia looks for the path after the eleventh character, so the origin must be long and our own. */
const ORIGIN = "http://outcall.local";

/** The path of a request with a malformed head: no route has it, so the app answers with the problem of the head. */
const NOWHERE = "/";

/** The methods that `new Request` takes; no route has any other. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Makes the request for an app. */
export function requestOf(incoming: IncomingMessage, connection: Connection, body: Body): Request {
  const headProblem = wrongHead(incoming);
  const headers = new Headers();
  for (const name of ["content-type", "content-encoding", "authorization"]) {
    const value = incoming.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const method = incoming.method ?? "";
  const url = `${ORIGIN}${headProblem === null ? incoming.url : NOWHERE}`;
  return new ExchangeRequest(url, { method: METHODS.has(method) ? method : "OPTIONS", headers }, {
    connection,
    body,
    arrivedMs: systemClock.monotonicMs(),
    headProblem,
    bodyProblem: null,
    retryAfterSeconds: null,
    recordId: null,
    isLast: false,
  });
}

function wrongHead({ url = "", headers }: IncomingMessage): Problem | null {
  if (!isTarget(url)) return problem("daemon.invalid-request", "malformed request target");
  const coding = headers["transfer-encoding"] ?? "chunked";
  if (coding.toLowerCase() !== "chunked") return problem("daemon.invalid-request", "unknown transfer-encoding");
  return null;
}

/** A path without escapes, dots or a query, as most routes have: the quick check before the full one. */
const PLAIN_TARGET = /^(?:\/[a-z0-9-]+)+$/;

// Refuses targets that two parsers could read differently: other origins, dot segments, fragments, broken escapes.
function isTarget(target: string): boolean {
  if (PLAIN_TARGET.test(target)) return true;
  if (!/^\/(?!\/)[^\\#]*$/.test(target)) return false;
  const [path = ""] = target.split("?");
  if (path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return false;
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

/** Writes an app's answer as JSON that no cache may keep. */
export async function writeAnswer(outgoing: ServerResponse, response: Response, exchange: Exchange): Promise<void> {
  const text = await response.text();
  const headers: Record<string, string | number> = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  };
  const allow = response.headers.get("allow");
  if (allow !== null) headers["allow"] = allow;
  if (exchange.retryAfterSeconds !== null) headers["retry-after"] = exchange.retryAfterSeconds;
  if (exchange.recordId !== null) headers[RECORD_HEADER] = exchange.recordId;
  // Head and body in one write: each costs the peer a waking.
  const { socket } = outgoing;
  socket?.cork();
  outgoing.writeHead(response.status, headers);
  outgoing.end(text);
  socket?.uncork();
}
