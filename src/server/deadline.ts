// The deadline of a connection: for the first byte of a request, then for its headers, its body, and the reading of its
// answer. A peer that misses one is disconnected, so that a slow peer cannot hold a connection forever.
import type { Socket } from "node:net";

/** Time limits of a connection, in milliseconds. */
export type Deadlines = {
  /** The limit for a request's headers, from the start of the connection or from their first byte. */
  readonly headersMs: number;
  /** The limit for a request's body, from the end of its headers. */
  readonly bodyMs: number;
  /** The limit for a connection without a request, and for the peer to read an answer. */
  readonly idleMs: number;
};

/** The deadlines of both sockets. */
export const DEADLINES: Deadlines = { headersMs: 5_000, bodyMs: 10_000, idleMs: 60_000 };

/** The deadline of one connection; `stop` must be called when it closes. */
export class Deadline {
  readonly #socket: Socket;
  readonly #deadlines: Deadlines;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer fires. It may be before the deadline: moving the deadline at every step is cheaper than a new timer. */
  #wakesMs = Number.POSITIVE_INFINITY;
  #dueMs = Number.POSITIVE_INFINITY;
  #isIdle = false;

  /** Starts the time for the headers of the first request. */
  constructor(socket: Socket, deadlines: Deadlines) {
    this.#socket = socket;
    this.#deadlines = deadlines;
    this.#set(deadlines.headersMs);
  }

  /** Starts the time for a body. */
  forBody(): void {
    this.#set(this.#deadlines.bodyMs);
  }

  /** Starts the idle time: the peer must read an answer, or send the next request. */
  forIdle(): void {
    this.#set(this.#deadlines.idleMs);
    this.#isIdle = true;
  }

  /** Notes that bytes came. The first bytes of a request start the time for its headers; further bytes do not extend it. */
  onBytes(): void {
    if (this.#isIdle) this.#set(this.#deadlines.headersMs);
  }

  /** Suspends the deadline while the daemon works on a request. */
  rest(): void {
    this.#isIdle = false;
    this.#dueMs = Number.POSITIVE_INFINITY;
  }

  /** Ends the deadline for good. */
  stop(): void {
    this.rest();
    clearTimeout(this.#timer);
  }

  #set(milliseconds: number): void {
    this.#isIdle = false;
    this.#dueMs = performance.now() + milliseconds;
    if (this.#dueMs < this.#wakesMs) this.#wakeIn(milliseconds);
  }

  #wakeIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#wakesMs = performance.now() + milliseconds;
    this.#timer = setTimeout(() => this.#wake(), Math.ceil(milliseconds));
  }

  #wake(): void {
    this.#wakesMs = Number.POSITIVE_INFINITY;
    if (this.#dueMs === Number.POSITIVE_INFINITY) return;
    const leftMs = this.#dueMs - performance.now();
    if (leftMs <= 0) this.#socket.destroy();
    else this.#wakeIn(leftMs);
  }
}
