// One connection's requests, answered one after the other in the order they came. While one is worked on, nothing more is
// read, so that a peer which sends and sends without reading costs no more than one that waits.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { meaningOf, type Problem, problem } from "../core/problem.ts";
import { failure } from "../wire/answer.ts";
import { Deadline, type Deadlines } from "./deadline.ts";
import { type Body, type Connection, exchangeOf, type Handle, requestOf, writeAnswer } from "./exchange.ts";
import { readBody } from "./read-body.ts";

/** Requests that may wait behind the one that is worked on: what was read in one piece with it. Nobody honest sends more. */
export const PIPELINE_LIMIT = 128;

/** How long a connection that was told its end may go on sending, in milliseconds, and how much: one request of the largest size. */
const LINGER_MS = 1_000;
const LINGER_BYTES = 128 * 1_024;

/** What a connection works with. */
export type ConnectionOptions = {
  readonly connection: Connection;
  readonly handle: Handle;
  readonly deadlines: Deadlines;
  /** Reports a failure that is a bug of ours; the peer is only disconnected. */
  readonly reportBug: (cause: unknown) => void;
  /** Whether the server is about to end, so that each answer is the last one of its connection. */
  readonly isClosing: () => boolean;
  /** Called whenever nothing is left to answer. */
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
  /** What the connection ends with once all that is due is answered. */
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

  /** What follows cannot be answered as a request: says so after the answers that are due, and ends the connection. */
  refuse(last: Problem): void {
    this.#last = last;
    if (!this.#isBusy || this.#reading?.complete === false) endWith(this.#socket, last);
  }

  /** Ends the connection, whatever is going on. */
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
    // A body that the parser has given up on never comes.
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

  // Resolves when the kernel has the whole answer, or the peer is gone or was too slow to take it.
  #sent(outgoing: ServerResponse): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    outgoing.once("finish", resolve);
    outgoing.on("error", () => this.#socket.destroy());
    this.#onClose = resolve;
    return promise;
  }
}

/** Writes an answer without a request, and ends the connection. */
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

// A peer that is still sending when its connection is closed learns of that alone and does not look at the answer: so for a
// moment what it sends is thrown away, unread.
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
