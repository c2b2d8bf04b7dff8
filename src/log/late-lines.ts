// Lines of a log, said a moment after they were noted and written many at once, so that nobody's answer waits for a disk or
// a terminal. What is urgent is written at once, behind all that was noted before it; the end of the process loses nothing.
import process from "node:process";

/** How long a line may wait, in milliseconds: nobody who follows a log sees it. */
const LATE_MS = 10;

/** Lines that may wait, so that a burst neither grows without end nor holds the loop for long when it is written. */
export const LATE_LINES = 256;

/** Lines on their way. */
export class LateLines {
  readonly #write: (text: string) => void;
  readonly #waiting: (() => void)[] = [];
  readonly #flush = () => this.flush();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #said: string[] | null = null;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Notes something to be said: it is called when its time has come, and calls `line`. */
  note(say: () => void, isUrgent: boolean): void {
    this.#waiting.push(say);
    if (isUrgent || this.#waiting.length >= LATE_LINES) return this.flush();
    if (this.#waiting.length > 1) return;
    this.#timer = setTimeout(this.#flush, LATE_MS);
    process.once("exit", this.#flush);
  }

  /** Takes a whole line, its end included. */
  line(text: string): void {
    if (this.#said === null) this.#write(text);
    else this.#said.push(text);
  }

  /** Says and writes all that waits. */
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
