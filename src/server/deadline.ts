// One deadline for each connection: idle until the first byte of a request, then its headers, then its body, then its
// answer's way out. Whoever lets one pass is disconnected, so that nobody holds a connection by being slow.
import type { Socket } from "node:net";

/** How long a connection may take for what, in milliseconds. */
export type Deadlines = {
  /** For a request's headers, from the connection or from their first byte. */
  readonly headersMs: number;
  /** For a request's body, from its headers. */
  readonly bodyMs: number;
  /** Without a request, and for reading an answer. */
  readonly idleMs: number;
};

/** The deadlines of both sockets (S004 section 5). */
export const DEADLINES: Deadlines = { headersMs: 5_000, bodyMs: 10_000, idleMs: 60_000 };

/** The deadline of one connection; `stop` must be called when it closes. */
export class Deadline {
  readonly #socket: Socket;
  readonly #deadlines: Deadlines;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer wakes, which may be before the deadline: it moves several times in a request, the timer seldom. */
  #wakesMs = Number.POSITIVE_INFINITY;
  #dueMs = Number.POSITIVE_INFINITY;
  #isIdle = false;

  /** Starts with the headers, which must follow the connection at once. */
  constructor(socket: Socket, deadlines: Deadlines) {
    this.#socket = socket;
    this.#deadlines = deadlines;
    this.#set(deadlines.headersMs);
  }

  /** The headers are here and the body's turn has come. */
  forBody(): void {
    this.#set(this.#deadlines.bodyMs);
  }

  /** An answer is on its way, or was sent and the next request is not here. */
  forIdle(): void {
    this.#set(this.#deadlines.idleMs);
    this.#isIdle = true;
  }

  /** Bytes came: the first ones of a request begin the time for its headers, which later ones do not prolong. */
  onBytes(): void {
    if (this.#isIdle) this.#set(this.#deadlines.headersMs);
  }

  /** Nothing is awaited from the peer for now. */
  rest(): void {
    this.#isIdle = false;
    this.#dueMs = Number.POSITIVE_INFINITY;
  }

  /** Nothing is awaited from the peer any more. */
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
