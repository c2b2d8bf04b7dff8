// GET requests over the engine's Unix socket with `node:http`, limited in size and time; every failure is a value. The docker
// command is never run. Each request has its own connection, because kept connections are dead after the engine restarts.
import { type IncomingMessage, request } from "node:http";
import { parseJson } from "../core/parse-json.ts";
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { lookupUnavailable } from "./unavailable.ts";

/** Largest answer that is read, in bytes: an inspected container has about 20 kB and its labels. */
export const DOCKER_ANSWER_BYTES = 4 * 1024 * 1024;
/** Longest line of the event stream, in bytes: an event has the container's labels. */
export const DOCKER_EVENT_BYTES = 1024 * 1024;

/** A complete answer. The body is the value of its JSON text, or null if it is not JSON. */
export type DockerAnswer = { readonly status: number; readonly body: unknown };

/** The socket and the path of a request. */
export type DockerPlace = { readonly socketPath: string; readonly path: string; readonly signal: AbortSignal };

/** Sends a request and waits for the whole answer. */
export async function getJson(place: DockerPlace): Promise<Result<DockerAnswer, Problem>> {
  const response = await open(place);
  if (!response.ok) return response;
  const chunks: Buffer[] = [];
  let size = 0;
  const read = await readChunks(response.value, (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    return size <= DOCKER_ANSWER_BYTES;
  });
  if (!read.ok) return read;
  const status = response.value.statusCode ?? 0;
  return ok({ status, body: readJson(Buffer.concat(chunks).toString("utf8")) });
}

/** Receives the lines of a stream. */
export type StreamListener = { readonly onOpen: () => void; readonly onLine: (value: unknown) => boolean };

/** Sends a request and passes each line of JSON to the listener until the stream ends; the end is always a problem. */
export async function streamJson(place: DockerPlace, listener: StreamListener): Promise<Problem> {
  const response = await open(place);
  if (!response.ok) return response.error;
  if (response.value.statusCode !== 200) {
    response.value.destroy();
    return lookupUnavailable(`engine answers its events with status ${response.value.statusCode}`);
  }
  listener.onOpen();
  let rest = Buffer.alloc(0);
  const read = await readChunks(response.value, (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n")) {
      if (!listener.onLine(readJson(rest.toString("utf8", 0, end)))) return false;
      rest = rest.subarray(end + 1);
    }
    return rest.length <= DOCKER_EVENT_BYTES;
  });
  return read.ok ? lookupUnavailable("event stream ended") : read.error;
}

function open({ socketPath, path, signal }: DockerPlace): Promise<Result<IncomingMessage, Problem>> {
  return new Promise((resolve) => {
    const asking = request({ socketPath, path, method: "GET", agent: false, signal, headers: { host: "docker" } });
    asking.on("response", (response) => resolve(ok(response)));
    asking.on("error", (cause) => resolve(err(lookupUnavailable("engine does not answer", cause))));
    asking.end();
  });
}

// Reads to the end, or until `take` returns false.
function readChunks(response: IncomingMessage, take: (chunk: Buffer) => boolean): Promise<Result<null, Problem>> {
  return new Promise((resolve) => {
    response.on("data", (chunk: Buffer) => {
      if (take(chunk)) return;
      resolve(err(lookupUnavailable("engine's answer is not acceptable")));
      response.destroy();
    });
    response.on("end", () => resolve(ok(null)));
    response.on("error", (cause) => resolve(err(lookupUnavailable("engine broke off its answer", cause))));
    response.on("close", () => resolve(err(lookupUnavailable("engine broke off its answer"))));
  });
}

// Text that is not JSON gives null, which no reader of an answer accepts.
function readJson(text: string): unknown {
  const value = parseJson(text);
  return value.ok ? value.value : null;
}
