// Long work in steps: a generator that yields between steps. The same code serves callers that wait for the outcome, and
// callers that serve requests between the steps.

/** Work that yields between its steps and returns its outcome. */
export type Interruptible<T> = Generator<undefined, T, undefined>;

/** Does all of the work at once. */
export function finish<T>(work: Interruptible<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
