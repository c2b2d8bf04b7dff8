// Instances: the identified containers that still run. An instance ends with its first process. The first processes are
// checked at intervals, and at once when the source reports a change.
import { isRunning } from "../peer/proc-files.ts";
import type { Container } from "./container.ts";
import type { Found } from "./finder.ts";
import type { GoneListener } from "./source.ts";

/** Most containers at a time; the limit of sessions is the same. */
export const INSTANCES_LIMIT = 4_096;
/** How often the first processes are checked, in milliseconds, when the source reports nothing. */
const SWEEP_INTERVAL_MS = 1_000;
/** Instances checked in one sweep: about 10 µs each, so the event loop is not blocked for long. */
const SWEEP_BATCH = 256;

/** The identified containers, by id. */
export class Instances {
  readonly #found = new Map<string, Found>();
  readonly #listeners = new Set<GoneListener>();
  readonly #timer: ReturnType<typeof setInterval>;

  /** Starts the checks; `close` ends them. */
  constructor() {
    this.#timer = setInterval(() => this.#sweepSome(), SWEEP_INTERVAL_MS);
    this.#timer.unref();
  }

  /** How many containers are known. */
  get size(): number {
    return this.#found.size;
  }

  /** Adds a listener and returns a function that removes it. */
  onGone(listener: GoneListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Keeps an instance; an older instance with the same id has ended. Returns false if there are too many. */
  keep(found: Found): boolean {
    const { id, instance } = found.container;
    const known = this.#found.get(id);
    if (known !== undefined && known.container.instance !== instance) this.#end(known.container);
    if (!this.#found.has(id) && this.#found.size >= INSTANCES_LIMIT) this.sweep();
    if (!this.#found.has(id) && this.#found.size >= INSTANCES_LIMIT) return false;
    this.#found.set(id, found);
    return true;
  }

  /** Whether this instance still runs; if not, it is forgotten and the listeners are called. */
  stillRuns(found: Found): boolean {
    if (isRunning(found.first.pid, found.first.startTime)) return true;
    if (this.#found.get(found.container.id)?.container.instance === found.container.instance) {
      this.#end(found.container);
    }
    return false;
  }

  /** Checks one container, or all of them. */
  sweep(id?: string): void {
    const one = id === undefined ? undefined : this.#found.get(id);
    if (one !== undefined) this.stillRuns(one);
    if (id === undefined) { for (const found of [...this.#found.values()]) this.stillRuns(found); }
  }

  /** Ends the checks and forgets all instances. */
  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
    this.#found.clear();
  }

  #sweepSome(): void {
    const batch = [...this.#found.values()].slice(0, SWEEP_BATCH);
    for (const found of batch) {
      if (!this.stillRuns(found)) continue;
      // Moved to the end, so that the next sweep checks others.
      this.#found.delete(found.container.id);
      this.#found.set(found.container.id, found);
    }
  }

  #end(container: Container): void {
    this.#found.delete(container.id);
    for (const listener of this.#listeners) listener(container);
  }
}
