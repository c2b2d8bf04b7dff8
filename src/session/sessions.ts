// Container -> session: at most one for each instance of a container (S004-FR-014.c). A session belongs to the container that
// the kernel and the container source name. A request cannot name another one.
import { type Clock, systemClock } from "../core/clock.ts";
import type { Container } from "../container/container.ts";
import { type Problem, problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { createTokenKey, deriveToken, sameToken, type TokenKey } from "./token.ts";

/** Most sessions at a time: more than a large host has containers. */
export const SESSIONS_LIMIT = 4_096;

/** The message for every wrong token; it does not say why. */
export const BAD_TOKEN = "invalid or missing session token";

/** A container that has checked in. */
export type Session = { readonly container: Container; readonly token: string; readonly since: Date };

/** The sessions of one daemon. */
export class Sessions {
  readonly #key: TokenKey = createTokenKey();
  readonly #clock: Pick<Clock, "now">;
  readonly #byContainer = new Map<string, Session>();

  constructor(clock: Pick<Clock, "now"> = systemClock) {
    this.#clock = clock;
  }

  /** All sessions, the oldest first. */
  get all(): readonly Session[] {
    return [...this.#byContainer.values()].sort((a, b) => a.since.getTime() - b.since.getTime());
  }

  /** How many containers have a session. */
  get size(): number {
    return this.#byContainer.size;
  }

  /** Returns the session of the container; a new one if it has none, or one of an earlier instance. */
  checkIn(container: Container): Result<Session, Problem> {
    const existing = this.#byContainer.get(container.id);
    if (existing !== undefined && existing.container.instance === container.instance) return ok(existing);
    if (existing === undefined && this.#byContainer.size >= SESSIONS_LIMIT) {
      return err(problem("session.full", "too many sessions"));
    }
    const token = deriveToken(this.#key, container.id, container.instance);
    const session = { container, token, since: this.#clock.now() };
    this.#byContainer.set(container.id, session);
    return ok(session);
  }

  /** Returns the container's session if the token is the container's. */
  find(container: Container, token: string | null): Result<Session, Problem> {
    const session = this.#byContainer.get(container.id);
    const fits = session !== undefined && session.container.instance === container.instance && token !== null &&
      sameToken(token, session.token);
    return fits ? ok(session) : err(problem("session.bad-token", BAD_TOKEN));
  }

  /** Whether the token is valid for another container. This is logged and never answered. */
  isOthers(container: Container, token: string): boolean {
    for (const session of this.#byContainer.values()) {
      if (session.container.id !== container.id && sameToken(token, session.token)) return true;
    }
    return false;
  }

  /** Forgets the session of an instance that has ended; a later instance of the same container keeps its session. */
  drop(container: Container): void {
    const session = this.#byContainer.get(container.id);
    if (session?.container.instance === container.instance) this.#byContainer.delete(container.id);
  }
}
