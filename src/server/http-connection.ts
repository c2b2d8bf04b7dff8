// Answers the requests of one connection in order. While one request is worked on, nothing more is read from the socket, so
// that a peer that sends without reading costs no more memory than a peer that waits.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { meaningOf, type Problem, problem } from "../core/problem.ts";
import { failure } from "../wire/answer.ts";
import { Deadline, type Deadlines } from "./deadline.ts";
import { type Body, type Connection, exchangeOf, type Handle, requestOf, writeAnswer } from "./exchange.ts";
import { readBody } from "./read-body.ts";

/** Most pipelined requests that wait: those that were read in one piece with the current one. */
export const PIPELINE_LIMIT = 128;

/** The time in milliseconds, and the bytes, for which a refused peer may go on sending: the largest request fits twice. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 128 * 1_024;

/** The options of a connection. */
export type ConnectionOptions = {
  readonly connection: Connection;
  readonly handle: Handle;
  readonly deadlines: Deadlines;
  /** Reports a bug; the peer is disconnected without an answer. */
  readonly reportBug: (cause: unknown) => void;
  /** Whether the server is stopping, so that each connection closes after its answer. */
  readonly isClosing: () => boolean;
  /** Called whenever no request is left to answer. */
  readonly onIdle: () => void;
};

type Pending = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse };

/** A connection from its first request to its end. */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #options: ConnectionOptions;
  readonly #deadline: Deadline;
  readonly #waiting: Pending[] = [];
  #isBusy = false;
  #reading: IncomingMessage | null = null;
  /** The error that is sent after the pending answers, before the connection closes. */
  #last: Problem | null = null;
  #onClose: () => void = () => {};

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#deadline = new Deadline(socket, options.deadlines);
    socket.on("data", () => this.#deadline.onBytes());
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      this.#deadline.stop();
      this.#onClose();
    });
  }

  /** Whether a request is worked on or waits. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Takes a request whose headers are complete. */
  add(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#socket.destroyed) return;
    if (this.#waiting.length >= PIPELINE_LIMIT) return void this.#socket.destroy();
    this.#waiting.push({ incoming, outgoing });
    if (!this.#isBusy) void this.#work();
  }

  /** Sends an error after the pending answers and closes the connection: what follows is not a valid request. */
  refuse(last: Problem): void {
    this.#last = last;
    if (!this.#isBusy || this.#reading?.complete === false) endWith(this.#socket, last);
  }

  /** Closes the connection at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        await this.#answer(next);
      }
    } catch (cause) {
      this.#options.reportBug(cause);
      this.#socket.destroy();
    }
    this.#waiting.length = 0;
    this.#isBusy = false;
    if (this.#last !== null) endWith(this.#socket, this.#last);
    this.#options.onIdle();
  }

  async #answer({ incoming, outgoing }: Pending): Promise<void> {
    const { connection, handle, isClosing } = this.#options;
    // The parser has failed within this body, so the rest of it never comes.
    if (this.#last !== null && !incoming.complete) return;
    const body = await this.#readBody(incoming);
    if (body === null || this.#socket.destroyed) return;
    this.#socket.pause();
    const request = requestOf(incoming, connection, body);
    const response = await handle(request);
    if (this.#socket.destroyed) return;
    const exchange = exchangeOf(request);
    if (isClosing() || exchange.isLast) outgoing.shouldKeepAlive = false;
    this.#deadline.forIdle();
    const sent = this.#sent(outgoing);
    await writeAnswer(outgoing, response, exchange);
    await sent;
    if (exchange.isLast) {
      this.#waiting.length = 0;
      return void this.#socket.end(() => this.#socket.destroy());
    }
    if (this.#waiting.length === 0) this.#socket.resume();
  }

  async #readBody(incoming: IncomingMessage): Promise<Body | null> {
    if (!incoming.complete) this.#socket.resume();
    this.#deadline.forBody();
    this.#reading = incoming;
    const body = await readBody(incoming);
    this.#reading = null;
    this.#deadline.rest();
    return body;
  }

  // Resolves when the kernel has taken the whole answer, or the connection is closed.
  #sent(outgoing: ServerResponse): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    outgoing.once("finish", resolve);
    outgoing.on("error", () => this.#socket.destroy());
    this.#onClose = resolve;
    return promise;
  }
}

/** Writes an error without a request, and closes the connection. */
export function endWith(socket: Socket, found: Problem): void {
  if (!socket.writable) return void socket.destroy();
  const body = JSON.stringify(failure(found));
  const { status } = meaningOf(found.code);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  lingerBriefly(socket);
}

// Closing a socket with unread data resets the connection, and the peer would lose the answer. So for a moment incoming data
// is read and dropped.
function lingerBriefly(socket: Socket): void {
  socket.removeAllListeners("data");
  let left = LINGER_BYTES;
  socket.on("data", (bytes) => {
    left -= bytes.length;
    if (left < 0) socket.destroy();
  });
  const late = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("end", () => socket.destroy());
  socket.once("close", () => clearTimeout(late));
  socket.resume();
}

/** The last answer to a peer that does not speak HTTP. */
export const MALFORMED = problem("daemon.invalid-request", "malformed HTTP request");
