// Log lines that are formatted and written a moment later, many at once, so that no answer waits for a disk or a terminal. An
// urgent line is written at once, after all lines before it. The end of the process writes all waiting lines.
import process from "node:process";

/** How long a line may wait, in milliseconds: too short for a person who follows the log to notice. */
const LATE_MS = 10;

/** Most lines that wait, so that a burst needs little memory and does not hold the event loop for long. */
export const LATE_LINES = 256;

/** Waiting lines. */
export class LateLines {
  readonly #write: (text: string) => void;
  readonly #waiting: (() => void)[] = [];
  readonly #flush = () => this.flush();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #said: string[] | null = null;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Adds a line: `say` is called when the line is due, and calls `line`. */
  note(say: () => void, isUrgent: boolean): void {
    this.#waiting.push(say);
    if (isUrgent || this.#waiting.length >= LATE_LINES) return this.flush();
    if (this.#waiting.length > 1) return;
    this.#timer = setTimeout(this.#flush, LATE_MS);
    process.once("exit", this.#flush);
  }

  /** Takes a whole line, with its line end. */
  line(text: string): void {
    if (this.#said === null) this.#write(text);
    else this.#said.push(text);
  }

  /** Formats and writes all waiting lines. */
  flush(): void {
    clearTimeout(this.#timer);
    process.off("exit", this.#flush);
    const said: string[] = [];
    this.#said = said;
    for (const say of this.#waiting.splice(0)) say();
    this.#said = null;
    if (said.length > 0) this.#write(said.join(""));
  }
}
