// Refusals -> log lines and records of the decision log, with a limit a minute for each container and kind. Refusals beyond it
// become one record with a count, so that a container cannot push out the records of others.
import type { AuditLog } from "../audit/decision-log.ts";
import { type EventEntry, isAudit, NO_CONTAINER } from "../audit/entry.ts";
import type { Container } from "../container/container.ts";
import { UnavailableCause } from "../container/unavailable.ts";
import { systemClock } from "../core/clock.ts";
import { escapeText } from "../core/quote.ts";
import { meaningOf, type Problem } from "../core/problem.ts";
import type { Log, LogFields } from "./logger.ts";

/** Refusals of one container and kind that are logged one by one in a window. */
export const LOGGED_ONE_BY_ONE = 10;

/** The window, in milliseconds. */
const REFUSAL_WINDOW_MS = 60_000;

type Level = "info" | "warning";
type Window = { count: number };

/** A refusal as it is logged and recorded. */
type Refusal = {
  readonly kind: "refusal" | "misuse";
  readonly level: Level;
  readonly event: string;
  readonly container: Container | undefined;
  readonly reason: string | null;
  /** The fields that all refusals of the kind share. */
  readonly fields: LogFields;
};

/** Logs and records the refusals of one socket. */
export class RefusalLog {
  readonly #log: Log;
  readonly #audit: AuditLog;
  readonly #windowMs: number;
  readonly #windows = new Map<string, Window>();

  constructor(log: Log, audit: AuditLog, windowMs = REFUSAL_WINDOW_MS) {
    this.#log = log;
    this.#audit = audit;
    this.#windowMs = windowMs;
  }

  /** Notes that an operation was refused. Without a container the peer is unidentified. */
  note(operation: string, found: Problem, container: Container | undefined, asked: LogFields = {}): void {
    const { status, seed } = meaningOf(found.code);
    const fields = { code: found.code, seed, status };
    const common = { level: levelOf(status), event: `${operation}.refused`, container, reason: found.message };
    void this.#write({ kind: "refusal", ...common, fields }, { ...asked, ...detailOf(found) });
  }

  /** Notes that a container used another container's token. The record is on disk when this resolves. */
  async noteMisuse(event: string, container: Container): Promise<void> {
    const fields = { status: 401 };
    await this.#write({ kind: "misuse", level: "warning", event, container, reason: null, fields }, {});
  }

  // A refusal stands even if it cannot be recorded. The decision log counts what it cannot keep.
  async #write(refusal: Refusal, detail: LogFields): Promise<void> {
    const { level, event, container, fields } = refusal;
    const key = JSON.stringify([event, container?.id ?? null, fields["code"] ?? null]);
    const window = this.#windows.get(key) ?? this.#open(key, refusal);
    window.count++;
    if (window.count > LOGGED_ONE_BY_ONE) return;
    this.#log[level](event, { ...fieldsOf(refusal), ...detail });
    await this.#keep(entryOf(refusal, detail));
  }

  async #keep(entry: EventEntry): Promise<void> {
    if (isAudit(entry)) await this.#audit.append(entry);
    else this.#audit.queue(entry);
  }

  // The number of windows is bounded by the containers refused in the last minute, times the kinds of refusals.
  #open(key: string, refusal: Refusal): Window {
    const window: Window = { count: 0 };
    this.#windows.set(key, window);
    const close = () => {
      this.#windows.delete(key);
      const more = window.count - LOGGED_ONE_BY_ONE;
      if (more <= 0) return;
      this.#log[refusal.level](refusal.event, { ...fieldsOf(refusal), more });
      void this.#keep(entryOf(refusal, { more }));
    };
    setTimeout(close, this.#windowMs).unref();
    return window;
  }
}

function fieldsOf({ container, reason, fields }: Refusal): LogFields {
  const whose = container === undefined ? {} : { container: container.id, name: container.name };
  return { ...whose, ...fields, ...(reason === null ? {} : { reason }) };
}

function entryOf({ kind, event, container, reason, fields }: Refusal, detail: LogFields): EventEntry {
  const members = Object.entries({ event, ...fields, ...detail }).flatMap(([name, value]) => {
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    kind,
    at: systemClock.now(),
    source: event.startsWith("host.") ? "host" : "agent",
    container: container === undefined ? NO_CONTAINER : { id: container.id, name: container.name },
    reason,
    detail: Object.fromEntries(members),
  };
}

// A malformed request is logged at info level; an unidentified peer or a foreign token at warning level.
function levelOf(status: number): Level {
  return status === 401 || status === 403 || status >= 500 ? "warning" : "info";
}

/** The details of a refusal that only the operator may see: pid, user and the real cause. */
function detailOf({ cause }: Problem): LogFields {
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
