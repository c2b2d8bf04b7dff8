// Instances: the containers that were identified and still run. A container's life ends with its first process, which is
// looked for now and then, and at once when the source says that something changed.
import { isRunning } from "../peer/proc-files.ts";
import type { Container } from "./container.ts";
import type { Found } from "./finder.ts";
import type { GoneListener } from "./source.ts";

/** Most containers at a time: as many as there may be sessions. */
export const INSTANCES_LIMIT = 4_096;
/** How long an ended container goes unnoticed when its source tells nothing. */
const SWEEP_INTERVAL_MS = 1_000;
/** Instances looked at in one sweep: at some 10 µs each, the loop is never held long. */
const SWEEP_BATCH = 256;

/** The identified containers, by id. */
export class Instances {
  readonly #found = new Map<string, Found>();
  readonly #listeners = new Set<GoneListener>();
  readonly #timer: ReturnType<typeof setInterval>;

  /** Starts looking; `close` ends it. */
  constructor() {
    this.#timer = setInterval(() => this.#sweepSome(), SWEEP_INTERVAL_MS);
    this.#timer.unref();
  }

  /** How many containers are known. */
  get size(): number {
    return this.#found.size;
  }

  /** Adds a listener; the result removes it. */
  onGone(listener: GoneListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Keeps what was found; an older instance of the same id is gone. False when there are too many. */
  keep(found: Found): boolean {
    const { id, instance } = found.container;
    const known = this.#found.get(id);
    if (known !== undefined && known.container.instance !== instance) this.#end(known.container);
    if (!this.#found.has(id) && this.#found.size >= INSTANCES_LIMIT) this.sweep();
    if (!this.#found.has(id) && this.#found.size >= INSTANCES_LIMIT) return false;
    this.#found.set(id, found);
    return true;
  }

  /** Whether this instance still runs. */
  goesOn(found: Found): boolean {
    if (isRunning(found.first.pid, found.first.startTime)) return true;
    if (this.#found.get(found.container.id)?.container.instance === found.container.instance) {
      this.#end(found.container);
    }
    return false;
  }

  /** Looks at one container, or at all of them. */
  sweep(id?: string): void {
    const one = id === undefined ? undefined : this.#found.get(id);
    if (one !== undefined) this.goesOn(one);
    if (id === undefined) { for (const found of [...this.#found.values()]) this.goesOn(found); }
  }

  /** Stops looking and forgets everything. */
  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
    this.#found.clear();
  }

  #sweepSome(): void {
    const batch = [...this.#found.values()].slice(0, SWEEP_BATCH);
    for (const found of batch) {
      if (!this.goesOn(found)) continue;
      // To the end of the line, so that the next sweep takes others.
      this.#found.delete(found.container.id);
      this.#found.set(found.container.id, found);
    }
  }

  #end(container: Container): void {
    this.#found.delete(container.id);
    for (const listener of this.#listeners) listener(container);
  }
}
