// DockerWatch: the engine's event stream, opened again whenever it ends. Events are missed while the stream is closed, so
// earlier results are not used meanwhile, and everything is looked up again once the stream is open.
import type { DockerClient } from "./docker-client.ts";
import type { ChangeListener } from "./finder.ts";
import { unavailableDetail } from "./unavailable.ts";

/** The first pause before another attempt, in milliseconds; each further pause is twice as long. */
const FIRST_PAUSE_MS = 100;
/** The longest pause, in milliseconds: a restarted engine is noticed within this time. */
const LONGEST_PAUSE_MS = 5_000;

/** Watches one engine until closed. */
export class DockerWatch {
  readonly #client: DockerClient;
  readonly #listeners = new Set<ChangeListener>();
  readonly #closed = new AbortController();
  #open = false;
  #detail = "engine has not answered yet";
  #pauseMs = FIRST_PAUSE_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts watching. */
  constructor(client: DockerClient) {
    this.#client = client;
    void this.#watch();
  }

  /** Whether the stream is open, so that every event reaches the listeners. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Describes the stream in one line for the operator. */
  get detail(): string {
    return this.#detail;
  }

  /** Adds a listener. */
  onChange(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  /** Ends the stream and the attempts. */
  close(): void {
    this.#open = false;
    this.#detail = "closed";
    this.#closed.abort();
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  async #watch(): Promise<void> {
    const signal = this.#closed.signal;
    const ended = await this.#client.watchEvents({
      onOpen: () => {
        this.#open = true;
        this.#detail = "engine answers";
        this.#pauseMs = FIRST_PAUSE_MS;
        this.#tell(null);
      },
      onEvent: (event) => this.#tell(event.id),
    }, signal);
    if (signal.aborted) return;
    this.#open = false;
    this.#detail = unavailableDetail(ended);
    this.#tell(null);
    this.#timer = setTimeout(() => void this.#watch(), this.#pauseMs);
    this.#timer.unref();
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #tell(id: string | null): void {
    for (const listener of this.#listeners) listener(id);
  }
}
