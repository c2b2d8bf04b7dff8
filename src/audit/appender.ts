// Appender: the store with its retention, as one thread holds them: rows in, one batch after the other; a failed store is
// closed, and opened anew for the next batch.
import type { Clock } from "../core/clock.ts";
import type { Problem } from "../core/problem.ts";
import { err, ok, type Result } from "../core/result.ts";
import { encodeEntry } from "./encode.ts";
import { NO_CONTAINER } from "./entry.ts";
import { type Limits, type Removal, Retention } from "./retention.ts";
import type { Row } from "./row.ts";
import { Store } from "./store.ts";
import { storeProblem } from "./store-problem.ts";

/** What an appender works with. */
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

  /** Opens the log where it is not open. */
  open(): Result<null, Problem> {
    const opened = this.#opened();
    return opened.ok ? ok(null) : opened;
  }

  /** Whether records are to be removed for their size. */
  get isOverSize(): boolean {
    return this.#open?.retention.isOverSize ?? false;
  }

  /** Appends rows: all are on disk, or none counts. */
  append(rows: readonly Row[]): Result<null, Problem> {
    const opened = this.#opened();
    if (!opened.ok) return opened;
    const { store, retention } = opened.value;
    const appended = store.append(rows);
    if (!appended.ok) {
      this.close();
      return appended;
    }
    retention.note(rows);
    return appended;
  }

  /** Removes a slice of old records; false when there are none, and then the removal itself is on record. */
  removeSlice(): Result<boolean, Problem> {
    if (this.#open === null) return ok(false);
    const { store, retention } = this.#open;
    try {
      const removal = retention.removeSlice(this.#options.clock.now().getTime());
      if (removal === null) return this.#recordRemovals(store);
      const name = `${removal.reason} ${removal.holder ?? ""}`;
      const before = this.#removed.get(name)?.removed ?? 0;
      this.#removed.set(name, { ...removal, removed: before + removal.removed });
      return ok(true);
    } catch (cause) {
      this.close();
      return err(storeProblem("cannot remove old records", cause));
    }
  }

  /** Closes the log. */
  close(): void {
    const open = this.#open;
    this.#open = null;
    open?.store.close();
  }

  #opened(): Result<Open, Problem> {
    if (this.#open !== null) return ok(this.#open);
    const store = Store.open(this.#options.stateDir);
    if (!store.ok) return store;
    try {
      this.#open = { store: store.value, retention: new Retention(store.value, this.#options.limits) };
    } catch (cause) {
      store.value.close();
      return err(storeProblem("cannot count the records", cause));
    }
    return ok(this.#open);
  }

  #recordRemovals(store: Store): Result<false, Problem> {
    if (this.#removed.size === 0) return ok(false);
    const at = this.#options.clock.now();
    const rows = [...this.#removed.values()].map(({ reason, removed, holder }) => {
      const container = holder === null || holder === "" ? NO_CONTAINER : { id: holder, name: null };
      const text = reason === "age" ? "records were too old" : "the log was over its size";
      const detail = { removed, reason };
      return encodeEntry({ kind: "log.checkpoint", at, source: "daemon", container, reason: text, detail }, store.key);
    });
    this.#removed.clear();
    const appended = this.append(rows);
    return appended.ok ? ok(false) : appended;
  }
}
