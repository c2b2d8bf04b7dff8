// Connections that the kernel has vouched for -> requests for an app -> answers. One node:http server for each socket; the
// connections come from node:net, which has the descriptor. node:http's own timeouts are not enforced on this path
// (platform notes), so every connection carries its own.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { failure } from "../wire/answer.ts";
import { type Connection, type Handle, requestOf, writeAnswer } from "./exchange.ts";
import { readBody } from "./read-body.ts";

/** A request's headers must be there this long after its connection or the answer before it. */
export const HEADERS_TIMEOUT_MS = 5_000;

/** A request's body must be there this long after its headers. */
export const BODY_TIMEOUT_MS = 10_000;

/** A connection without a request is closed after this long. */
export const IDLE_TIMEOUT_MS = 60_000;

/** Reports a failure that is a bug of ours; the answer says only that there was one. */
export type ReportBug = (cause: unknown) => void;

/** Serves connections by an app. */
export class HttpServer {
  readonly #server: Server;
  readonly #connections = new WeakMap<Socket, Connection>();
  readonly #open = new Map<Socket, ConnectionTimer>();
  readonly #handle: Handle;
  readonly #reportBug: ReportBug;
  #running = 0;
  #whenIdle: (() => void) | null = null;
  #closing = false;

  constructor(handle: Handle, reportBug: ReportBug) {
    this.#handle = handle;
    this.#reportBug = reportBug;
    this.#server = createServer((incoming, outgoing) => void this.#serve(incoming, outgoing));
    this.#server.keepAliveTimeout = IDLE_TIMEOUT_MS;
    this.#server.on("clientError", (_error, socket) => {
      if (socket.writable) socket.end(`HTTP/1.1 400 Bad Request\r\n${BAD_REQUEST_TAIL}`);
      else socket.destroy();
    });
  }

  /** Takes a connection over; what is known of its peer belongs to it from here on. */
  accept(socket: Socket, connection: Connection): void {
    this.#connections.set(socket, connection);
    const timer = new ConnectionTimer(socket);
    this.#open.set(socket, timer);
    timer.waitFor(HEADERS_TIMEOUT_MS);
    socket.on("data", () => timer.onData());
    socket.on("error", () => socket.destroy());
    socket.once("close", () => {
      timer.stop();
      this.#open.delete(socket);
    });
    this.#server.emit("connection", socket);
  }

  /** Answers what is in flight, for at most so long, then closes every connection. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true;
    if (this.#running > 0) {
      const idle = new Promise<void>((resolve) => (this.#whenIdle = resolve));
      const { promise: late, cancel } = delay(graceMs);
      await Promise.race([idle, late]);
      cancel();
    }
    for (const socket of this.#open.keys()) socket.destroy();
    this.#server.close();
  }

  async #serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    this.#running++;
    try {
      await this.#answer(incoming, outgoing);
    } catch (cause) {
      this.#reportBug(cause);
      incoming.socket.destroy();
    } finally {
      this.#running--;
      if (this.#running === 0) this.#whenIdle?.();
    }
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { socket } = incoming;
    const connection = this.#connections.get(socket);
    const timer = this.#open.get(socket);
    if (connection === undefined || timer === undefined) return void socket.destroy();
    timer.waitFor(BODY_TIMEOUT_MS);
    const body = await readBody(incoming);
    timer.stop();
    if (body === null) return void socket.destroy();
    const request = requestOf(incoming, connection, body);
    const response = request === null
      ? Response.json(failure("malformed request target"), { status: 400 })
      : await this.#handle(request);
    if (this.#closing || !incoming.complete) outgoing.shouldKeepAlive = false;
    await writeAnswer(outgoing, response);
    timer.waitIdle();
  }
}

const BAD_REQUEST_BODY = JSON.stringify(failure("malformed HTTP request"));
const BAD_REQUEST_TAIL = `content-type: application/json\r\ncontent-length: ${BAD_REQUEST_BODY.length}\r\n` +
  `connection: close\r\n\r\n${BAD_REQUEST_BODY}`;

// One deadline for each connection: idle until the first byte of a request, then its headers, then its body.
class ConnectionTimer {
  readonly #socket: Socket;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #idle = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  waitFor(milliseconds: number): void {
    this.stop();
    this.#timer = setTimeout(() => this.#socket.destroy(), milliseconds);
  }

  waitIdle(): void {
    this.waitFor(IDLE_TIMEOUT_MS);
    this.#idle = true;
  }

  onData(): void {
    if (this.#idle) this.waitFor(HEADERS_TIMEOUT_MS);
  }

  stop(): void {
    this.#idle = false;
    clearTimeout(this.#timer);
  }
}

function delay(milliseconds: number): { readonly promise: Promise<void>; readonly cancel: () => void } {
  let timer: ReturnType<typeof setTimeout>;
  const promise = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  return { promise, cancel: () => clearTimeout(timer) };
}
