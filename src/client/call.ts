// One call of a daemon over its Unix socket: request -> answer, or a typed problem. The call ends within its time limit
// even if the other end sends no answer, garbage, too many bytes, or one byte a second. It is never repeated.
import type { Buffer } from "node:buffer";
import { type IncomingMessage, request } from "node:http";
import { type Problem, problem } from "../core/problem.ts";
import { describeJsonFault, parseJson } from "../core/parse-json.ts";
import { escapeText, quote } from "../core/quote.ts";
import { err, ok, type Result } from "../core/result.ts";
import { systemCodeOf } from "../core/thrown.ts";
import { RECORD_HEADER } from "../wire/agent-api.ts";
import type { Connection } from "./connection.ts";

/** A request, and the limits of its answer. */
export type CallOptions = {
  readonly socketPath: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a bearer token; visible ASCII. */
  readonly token?: string;
  /** For the whole call, from connecting to the last byte of the answer. */
  readonly timeoutMs: number;
  /** A longer body is refused. */
  readonly answerLimitBytes: number;
  /** A connection that other calls use too; without it the call opens and closes its own. */
  readonly connection?: Connection;
};

/** An answer whose JSON has no type yet. */
export type Answer = {
  readonly status: number;
  /** The text of the `Retry-After` header. */
  readonly retryAfter: string | undefined;
  /** The text of the `outcall-record` header. */
  readonly record: string | undefined;
  readonly body: unknown;
};

/** Asks once. `client.unreachable`: no complete answer in time. `client.bad-answer`: what came is not an answer. */
export function call(options: CallOptions): Promise<Result<Answer, Problem>> {
  // With an empty path node:http would connect to port 80 of this machine.
  if (options.socketPath === "") return Promise.resolve(err(cannotConnect(options.socketPath)));
  const { promise, resolve } = Promise.withResolvers<Result<Answer, Problem>>();
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  const outgoing = request({
    socketPath: options.socketPath,
    method: options.method,
    path: options.path,
    headers: headersOf(options, body),
    agent: options.connection?.agent ?? false,
  });
  // If a reused connection closes, Deno assumes that the request was not read, and sends it again.
  outgoing.on("socket", () => (outgoing.reusedSocket = false));
  // Only the first outcome counts; a destroyed request may report further errors.
  const settle = (result: Result<Answer, Problem>): void => {
    clearTimeout(timer);
    resolve(result);
    if (!result.ok) outgoing.destroy();
  };
  const timer = setTimeout(() => settle(err(tooLate(options))), options.timeoutMs);
  outgoing.on("error", (error) => settle(err(describeFailure(options.socketPath, error))));
  outgoing.on("upgrade", (_incoming, socket) => {
    socket.destroy();
    settle(err(badAnswer("the connection was switched to another protocol")));
  });
  outgoing.on("response", (incoming) => collect(incoming, options, settle));
  outgoing.end(body);
  return promise;
}

/** Whether a call failed because no socket exists at its path. */
export function isSocketMissing(problem: Problem): boolean {
  const code = systemCodeOf(problem.cause);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** Whether a call failed because the user may not connect to the socket. */
export function isSocketForbidden(problem: Problem): boolean {
  return systemCodeOf(problem.cause) === "EACCES";
}

/** The problem of an answer that the program does not understand; foreign text in `what` is escaped already. */
export function badAnswer(what: string, cause?: unknown): Problem {
  return problem("client.bad-answer", `outcalld's answer is not understood: ${what}`, { cause });
}

function headersOf(options: CallOptions, body: string | undefined): Record<string, string> {
  return {
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json", "content-length": `${byteLength(body)}` }),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  };
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function collect(incoming: IncomingMessage, options: CallOptions, settle: (result: Result<Answer, Problem>) => void) {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  incoming.on("data", (chunk: Buffer) => {
    sizeBytes += chunk.length;
    if (sizeBytes > options.answerLimitBytes) {
      settle(err(badAnswer(`it is over ${options.answerLimitBytes} bytes`)));
      return;
    }
    chunks.push(chunk);
  });
  incoming.on("error", (error) => settle(err(closedEarly(options.socketPath, error))));
  incoming.on("close", () => settle(err(closedEarly(options.socketPath))));
  incoming.on("end", () => {
    if (!incoming.complete) return settle(err(closedEarly(options.socketPath)));
    const body = readJson(chunks);
    if (!body.ok) return settle(body);
    const retryAfter = incoming.headers["retry-after"];
    const record = incoming.headers[RECORD_HEADER];
    const status = incoming.statusCode ?? 0;
    settle(ok({ status, retryAfter, record: typeof record === "string" ? record : undefined, body: body.value }));
  });
}

function readJson(chunks: readonly Buffer[]): Result<unknown, Problem> {
  // Replacing an invalid byte would change the text, and a byte order mark is not JSON.
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let text: string;
  try {
    text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
  } catch (cause) {
    return err(badAnswer("it is not JSON", cause));
  }
  const value = parseJson(text);
  if (value.ok) return value;
  return err(badAnswer(value.error.twice === null ? "it is not JSON" : `it has a ${describeJsonFault(value.error)}`));
}

function describeFailure(socketPath: string, error: Error): Problem {
  const code = systemCodeOf(error);
  if (code?.startsWith("HPE_") === true) return badAnswer("it is not HTTP", error);
  if ("syscall" in error && error.syscall === "connect") return cannotConnect(socketPath, error);
  return closedEarly(socketPath, error);
}

function cannotConnect(socketPath: string, cause?: Error): Problem {
  const where = socketPath === "" ? quote(socketPath) : escapeText(socketPath);
  const hint = CONNECT_HINTS.get(systemCodeOf(cause) ?? "");
  const more = hint === undefined ? { cause } : { cause, hint };
  return problem("client.unreachable", `cannot connect to outcalld at ${where} -- is it running?`, more);
}

// Hints for failures that starting a daemon would not fix.
const CONNECT_HINTS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "this user may not connect to that socket"],
  ["EINVAL", "the path of a socket has at most 107 bytes"],
]);

function closedEarly(socketPath: string, cause?: Error): Problem {
  const message = `outcalld at ${escapeText(socketPath)} closed the connection before its answer was complete`;
  return problem("client.unreachable", message, { cause });
}

function tooLate(options: CallOptions): Problem {
  return problem("client.unreachable", `outcalld at ${escapeText(options.socketPath)} did not answer in time`);
}
