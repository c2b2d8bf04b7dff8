// Appender: the store together with its retention. A failed store is closed, and opened again for the next batch. The caller
// waits for each call before it makes the next.
import type { Clock } from "../core/clock.ts";
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { encodeEntry } from "./encode.ts";
import { NO_CONTAINER } from "./entry.ts";
import type { LogKey } from "./key-file.ts";
import { type Limits, type Removal, Retention } from "./retention.ts";
import type { Row } from "./row.ts";
import { Store } from "./record-store.ts";
import { storeProblem } from "./store-problem.ts";

/** The options of an appender. */
export type AppenderOptions = { readonly stateDir: string; readonly limits: Limits; readonly clock: Clock };

type Open = { readonly store: Store; readonly retention: Retention };

/** Appends batches to the log of a state directory. */
export class Appender {
  readonly #options: AppenderOptions;
  readonly #removed = new Map<string, Removal>();
  #open: Open | null = null;

  constructor(options: AppenderOptions) {
    this.#options = options;
  }

  /** Opens the log if it is not open, and returns its key. */
  async open(): Promise<Result<LogKey, Problem>> {
    const opened = await this.#opened();
    return opened.ok ? ok(opened.value.store.key) : opened;
  }

  /** The time of the newest record in milliseconds since 1970; null where there is none or the log is not open. */
  newestAtMs(): number | null {
    return this.#open?.store.newestAtMs() ?? null;
  }

  /** Appends rows and returns the number of the first one: all of them are on disk, or none of them counts. */
  async append(rows: readonly Row[]): Promise<Result<number, Problem>> {
    const opened = await this.#opened();
    if (!opened.ok) return opened;
    const { store, retention } = opened.value;
    const appended = await store.append(rows);
    if (!appended.ok) {
      const closed = this.close();
      return closed.ok ? appended : closed;
    }
    retention.note(rows);
    return appended;
  }

  /** Whether the log is over its size, so that records must be removed. */
  get isOverSize(): boolean {
    return this.#open?.retention.isOverSize ?? false;
  }

  /** Removes a slice of old records. Once none are left, it records the removals and returns false. */
  async removeSlice(): Promise<Result<boolean, Problem>> {
    if (this.#open === null) return ok(false);
    const { store, retention } = this.#open;
    let removal: Removal | null;
    try {
      removal = retention.removeSlice(this.#options.clock.now().getTime());
    } catch (cause) {
      const closed = this.close();
      return closed.ok ? err(storeProblem("cannot remove old records", cause)) : closed;
    }
    if (removal === null) return await this.#recordRemovals(store);
    const name = `${removal.reason} ${removal.holder ?? ""}`;
    const before = this.#removed.get(name)?.removed ?? 0;
    this.#removed.set(name, { ...removal, removed: before + removal.removed });
    return ok(true);
  }

  /** Closes the log. */
  close(): Result<null, Problem> {
    const open = this.#open;
    this.#open = null;
    try {
      open?.store.close();
      return ok(null);
    } catch (cause) {
      return err(storeProblem("cannot close the decision log", cause));
    }
  }

  async #opened(): Promise<Result<Open, Problem>> {
    if (this.#open !== null) return ok(this.#open);
    const store = await Store.open(this.#options.stateDir);
    if (!store.ok) return store;
    try {
      this.#open = { store: store.value, retention: new Retention(store.value, this.#options.limits) };
    } catch (cause) {
      store.value.close();
      return err(storeProblem("cannot count the records", cause));
    }
    return ok(this.#open);
  }

  async #recordRemovals(store: Store): Promise<Result<false, Problem>> {
    if (this.#removed.size === 0) return ok(false);
    const at = this.#options.clock.now();
    const rows = [...this.#removed.values()].map(({ reason, removed, holder }) => {
      const container = holder === null || holder === "" ? NO_CONTAINER : { id: holder, name: null };
      const text = reason === "age" ? "records were too old" : "the log was over its size";
      const detail = { removed, reason };
      return encodeEntry({ kind: "log.checkpoint", at, source: "daemon", container, reason: text, detail }, store.key);
    });
    this.#removed.clear();
    const appended = await this.append(rows);
    return appended.ok ? ok(false) : appended;
  }
}
