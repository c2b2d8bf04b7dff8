// Connections that the kernel has vouched for -> requests for an app -> answers. One node:http server for each socket; the
// connections come from node:net, which has the descriptor. node:http's own timeouts are not enforced on this path
// (platform notes), so every connection carries its own.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import { problem } from "../core/problem.ts";
import { DEADLINES, type Deadlines } from "./deadline.ts";
import type { Connection, Handle } from "./exchange.ts";
import { handOver, keepHandedOver } from "./hand-over.ts";
import { HttpConnection, MALFORMED } from "./http-connection.ts";

/** What a server works with. */
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
    // An expectation that is not known is no reason to refuse (RFC 9110, 10.1.1): answered like any other request.
    this.#server.on("checkExpectation", serve);
    this.#server.on("connect", ({ socket }) => this.#open.get(socket)?.refuse(NO_TUNNEL));
    this.#server.on("clientError", (_error, socket) => {
      if (socket instanceof Socket) this.#open.get(socket)?.refuse(MALFORMED);
    });
  }

  /** How many connections are open. */
  get size(): number {
    return this.#open.size;
  }

  /** Takes a connection over; what is known of its peer belongs to it from here on. */
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

  /** Answers what is in flight, for at most so long, then closes every connection. */
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
