// How many connections there may be: in all, so that descriptors last, with some kept for the operator; and of one
// container, so that none can take the others' (S004 section 5). A connection over a limit is told so and ended.
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

/** Connections over the limit that are told so at a time: they are not counted among the others. */
const TOLD_LIMIT = 64;

/** The refusal of a connection. */
export const FULL = problem("daemon.too-many-connections", "too many connections");

/** No container's id. */
const NOBODY = "";

/** Counts the connections of a daemon. */
export class ConnectionLimits {
  readonly #refusals: RefusalLog;
  readonly #byContainer = new Map<string, number>();
  readonly #counted = new WeakSet<Socket>();
  #total = 0;
  #told = 0;

  constructor(refusals: RefusalLog) {
    this.#refusals = refusals;
  }

  /** Counts a connection until it closes; false when there is no room for it, and it is ended. */
  admit(socket: Socket, { name, isReserved }: Pick<Listener, "name" | "isReserved">): boolean {
    const limit = isReserved ? CONNECTIONS_LIMIT : CONNECTIONS_LIMIT - RESERVED;
    if (this.#total >= limit) return this.#refuse(socket, `${name}.connection`, undefined);
    this.#total++;
    socket.once("close", () => this.#total--);
    return true;
  }

  /** Counts a connection for its container, once, as soon as that is known; false when the container has too many. */
  countFor(socket: Socket, container: Container): boolean {
    return this.#count(socket, container.id);
  }

  /** Counts a connection of a peer that is in no container that may check in: all such have as much room as one container. */
  countForNobody(socket: Socket): boolean {
    return this.#count(socket, NOBODY);
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

  /** Ends a connection for which its container, or nobody, has no room. */
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
    if (this.#told >= TOLD_LIMIT) {
      socket.destroy();
      return false;
    }
    this.#told++;
    socket.once("close", () => this.#told--);
    socket.on("error", () => socket.destroy());
    endWith(socket, FULL);
    return false;
  }
}
