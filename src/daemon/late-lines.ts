// Lines of a log, written a moment after they were said and many at once, so that nobody's answer waits for a disk or a
// terminal. What is urgent is written at once, behind all that was said before it; the end of the process loses nothing.
import process from "node:process";
import type { WriteLine } from "./log.ts";

/** How long a line may wait, in milliseconds: nobody who follows a log sees it. */
export const LATE_MS = 10;

/** Lines that may wait, so that a burst neither grows without end nor holds the loop for long when it is written. */
export const LATE_LINES = 256;

/** Lines on their way. */
export class LateLines {
  readonly #write: WriteLine;
  readonly #waiting: (() => string)[] = [];
  readonly #flush = () => this.flush();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(write: WriteLine) {
    this.#write = write;
  }

  /** Takes a line, which is put into words when it is written. */
  add(line: () => string, isUrgent: boolean): void {
    this.#waiting.push(line);
    if (isUrgent || this.#waiting.length >= LATE_LINES) return this.flush();
    if (this.#waiting.length > 1) return;
    this.#timer = setTimeout(this.#flush, LATE_MS);
    process.once("exit", this.#flush);
  }

  /** Writes all that waits. */
  flush(): void {
    clearTimeout(this.#timer);
    process.off("exit", this.#flush);
    const lines = this.#waiting.splice(0);
    if (lines.length > 0) this.#write(lines.map((line) => line()).join(""));
  }
}
