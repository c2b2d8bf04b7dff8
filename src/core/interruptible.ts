// Long work that may be put aside between its steps: a generator that yields wherever others may go first. One text serves
// both who waits for the outcome and who has something to serve meanwhile.

/** Work that yields between its steps and returns its outcome. */
export type Interruptible<T> = Generator<undefined, T, undefined>;

/** Does all of the work at once. */
export function finish<T>(work: Interruptible<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
