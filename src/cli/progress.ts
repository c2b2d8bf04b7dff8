// A word on standard error while a command works, where a person sits before it; gone when the work is done.
import type { Io } from "./io.ts";

/** Does the work, with the word shown on a terminal. */
export function withProgress<T>(io: Io, word: string, work: () => T): T {
  if (!io.isTerminal.stderr) return work();
  io.stderr(`${word} ...`);
  const done = work();
  io.stderr("\r\u001b[K");
  return done;
}
