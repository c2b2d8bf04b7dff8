// Limits of connections. A total keeps file descriptors from running out, and a part of it is kept for the operator. A limit
// for each container keeps one container from using up the total. A connection over a limit gets an error and is closed.
import type { Socket } from "node:net";
import type { Container } from "../container/container.ts";
import { problem } from "../core/problem.ts";
import { endWith } from "./http-connection.ts";
import type { Listener } from "./listener.ts";
import type { RefusalLog } from "../log/refusal-log.ts";

/** Connections in all. */
export const CONNECTIONS_LIMIT = 1_024;

/** Connections that are kept free for the operator. */
const RESERVED = 16;

/** Connections of one container. */
export const CONTAINER_CONNECTIONS_LIMIT = 64;

/** Most connections over a limit that wait for their error to be sent; any more are closed without an error. */
const REFUSALS_LIMIT = 64;

/** The refusal of a connection. */
export const FULL = problem("daemon.too-many-connections", "too many connections");

/** The id under which the connections of all peers in no known container are counted; no container has this id. */
const NO_CONTAINER = "";

/** Counts the connections of a daemon. */
export class ConnectionLimits {
  readonly #refusals: RefusalLog;
  readonly #byContainer = new Map<string, number>();
  readonly #counted = new WeakSet<Socket>();
  #total = 0;
  #refusing = 0;

  constructor(refusals: RefusalLog) {
    this.#refusals = refusals;
  }

  /** Counts a connection until it closes; false if it is over the limit and has been refused. */
  admit(socket: Socket, { name, isReserved }: Pick<Listener, "name" | "isReserved">): boolean {
    const limit = isReserved ? CONNECTIONS_LIMIT : CONNECTIONS_LIMIT - RESERVED;
    if (this.#total >= limit) return this.#refuse(socket, `${name}.connection`, undefined);
    this.#total++;
    socket.once("close", () => this.#total--);
    return true;
  }

  /** Counts a connection for its container, at most once; false if the container has too many connections. */
  countFor(socket: Socket, container: Container): boolean {
    return this.#count(socket, container.id);
  }

  /** Counts a connection of a peer in no known container; all such peers together have the limit of one container. */
  countWithoutContainer(socket: Socket): boolean {
    return this.#count(socket, NO_CONTAINER);
  }

  #count(socket: Socket, id: string): boolean {
    if (socket.destroyed || this.#counted.has(socket)) return true;
    const count = this.#byContainer.get(id) ?? 0;
    if (count >= CONTAINER_CONNECTIONS_LIMIT) return false;
    this.#counted.add(socket);
    this.#byContainer.set(id, count + 1);
    socket.once("close", () => this.#leave(id));
    return true;
  }

  /** Refuses a connection that is over the limit of its container, or of the peers without one. */
  refuseFor(socket: Socket, container: Container | undefined): void {
    if (!socket.destroyed) this.#refuse(socket, "agent.connection", container);
  }

  #leave(id: string): void {
    const count = this.#byContainer.get(id) ?? 0;
    if (count > 1) this.#byContainer.set(id, count - 1);
    else this.#byContainer.delete(id);
  }

  #refuse(socket: Socket, operation: string, container: Container | undefined): false {
    this.#refusals.note(operation, FULL, container);
    if (this.#refusing >= REFUSALS_LIMIT) {
      socket.destroy();
      return false;
    }
    this.#refusing++;
    socket.once("close", () => this.#refusing--);
    socket.on("error", () => socket.destroy());
    endWith(socket, FULL);
    return false;
  }
}
