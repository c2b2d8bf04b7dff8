// Identified connections -> requests for an app -> answers. Connections come from node:net, because only node:net has the
// descriptor for which the kernel names the peer. On this path node:http does not enforce its own time limits, so every
// connection has a `Deadline`.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { problem } from "../core/problem.ts";
import { DEADLINES, type Deadlines } from "./deadline.ts";
import type { Connection, Handle } from "./exchange.ts";
import { handOver, keepHandedOver } from "./hand-over.ts";
import { HttpConnection, MALFORMED } from "./http-connection.ts";

/** The options of a server. */
export type HttpServerOptions = {
  readonly handle: Handle;
  readonly reportBug: (cause: unknown) => void;
  readonly deadlines?: Deadlines;
};

/** Serves connections by an app. */
export class HttpServer {
  readonly #server: Server;
  readonly #open = new Map<Socket, HttpConnection>();
  readonly #options: HttpServerOptions;
  #whenIdle: (() => void) | null = null;
  #isClosing = false;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    const keepAliveTimeout = (options.deadlines ?? DEADLINES).idleMs;
    const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.#open.get(incoming.socket)?.add(incoming, outgoing);
    };
    this.#server = createServer({ keepAliveTimeout }, serve);
    keepHandedOver(this.#server);
    // A request with an unknown expectation is answered like any other (RFC 9110, 10.1.1).
    this.#server.on("checkExpectation", serve);
    this.#server.on("connect", ({ socket }) => this.#open.get(socket)?.refuse(NO_TUNNEL));
    this.#server.on("clientError", (_error, socket) => {
      if (socket instanceof Socket) this.#open.get(socket)?.refuse(MALFORMED);
    });
  }

  /** The number of open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Serves a connection of a known peer. */
  accept(socket: Socket, connection: Connection): void {
    if (this.#isClosing) return void socket.destroy();
    const { handle, reportBug, deadlines = DEADLINES } = this.#options;
    const served = new HttpConnection(socket, {
      connection,
      handle,
      deadlines,
      reportBug,
      isClosing: () => this.#isClosing,
      onIdle: () => this.#noteIdle(),
    });
    this.#open.set(socket, served);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#noteIdle();
    });
    handOver(this.#server, socket);
  }

  /** Waits for requests in flight, at most for the given time, then closes every connection. */
  async close(graceMs: number): Promise<void> {
    this.#isClosing = true;
    const idle = new Promise<void>((resolve) => (this.#whenIdle = resolve));
    const late = setTimeout(() => this.#whenIdle?.(), graceMs);
    this.#noteIdle();
    await idle;
    clearTimeout(late);
    for (const served of this.#open.values()) served.destroy();
    this.#server.close();
  }

  #noteIdle(): void {
    if (this.#whenIdle !== null && ![...this.#open.values()].some((served) => served.isBusy)) this.#whenIdle();
  }
}

const NO_TUNNEL = problem("daemon.method", "method not allowed");
