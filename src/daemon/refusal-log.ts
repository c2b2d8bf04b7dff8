// Refusals -> log records, so many a minute for each container and kind and no more: what a container does wrong over and
// over is one record with a count, so that it cannot wash out the records of others (S004 section 6).
import type { Container } from "../container/container.ts";
import { UnavailableCause } from "../container/unavailable.ts";
import { escapeText } from "../core/quote.ts";
import { meaningOf, type Problem } from "../core/problem.ts";
import type { Log, LogFields } from "./log.ts";

/** Refusals of one container and kind that are logged one by one in a window. */
export const LOGGED_ONE_BY_ONE = 10;

/** The window, in milliseconds. */
export const REFUSAL_WINDOW_MS = 60_000;

type Level = "info" | "warning";
type Window = { count: number };

/** Logs the refusals of one socket. */
export class RefusalLog {
  readonly #log: Log;
  readonly #windowMs: number;
  readonly #windows = new Map<string, Window>();

  constructor(log: Log, windowMs = REFUSAL_WINDOW_MS) {
    this.#log = log;
    this.#windowMs = windowMs;
  }

  /** Notes that an operation was refused; without a container the peer is none that is known. */
  note(operation: string, found: Problem, container: Container | undefined, asked: LogFields = {}): void {
    const { status, seed } = meaningOf(found.code);
    const fields = { ...whose(container), code: found.code, seed, status, reason: found.message };
    this.#write(levelOf(status), `${operation}.refused`, fields, { ...asked, ...detailOf(found) });
  }

  /** Notes that a container used what belongs to another. */
  noteMisuse(event: string, container: Container): void {
    this.#write("warning", event, { ...whose(container), status: 401 }, {});
  }

  #write(level: Level, event: string, fields: LogFields, detail: LogFields): void {
    const key = JSON.stringify([event, fields["container"] ?? null, fields["code"] ?? null]);
    const window = this.#windows.get(key) ?? this.#open(key, level, event, fields);
    window.count++;
    if (window.count <= LOGGED_ONE_BY_ONE) this.#log[level](event, { ...fields, ...detail });
  }

  // There are as many windows as containers that were refused in the last minute, times the kinds of refusals.
  #open(key: string, level: Level, event: string, fields: LogFields): Window {
    const window: Window = { count: 0 };
    this.#windows.set(key, window);
    const close = () => {
      this.#windows.delete(key);
      const more = window.count - LOGGED_ONE_BY_ONE;
      if (more > 0) this.#log[level](event, { ...fields, more });
    };
    setTimeout(close, this.#windowMs).unref();
    return window;
  }
}

function whose(container: Container | undefined): LogFields {
  return container === undefined ? {} : { container: container.id, name: container.name };
}

// What an agent words badly is its own affair; who is nobody, or uses what is not its own, is the operator's.
function levelOf(status: number): Level {
  return status === 401 || status === 403 || status >= 500 ? "warning" : "info";
}

/** What only the operator may know of a refusal: the pid, the user, what really went wrong. */
export function detailOf({ cause }: Problem): LogFields {
  if (cause instanceof UnavailableCause) {
    const text = cause.cause instanceof Error ? `${cause.detail}: ${cause.cause.message}` : cause.detail;
    return { detail: escapeText(text) };
  }
  if (typeof cause !== "object" || cause === null) return {};
  const fields = Object.entries(cause).filter(([name]) => ["pid", "uid", "detail"].includes(name));
  return Object.fromEntries(fields.map(([name, value]) => [
    name,
    typeof value === "number" ? value : escapeText(String(value)),
  ]));
}
