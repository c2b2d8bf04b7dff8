// A word on standard error while a command works, if standard error is a terminal; it is removed when the work is done.
import type { Io } from "./io.ts";

/** Does the work while a terminal shows the word. */
export function withProgress<T>(io: Io, word: string, work: () => T): T {
  if (!io.isTerminal.stderr) return work();
  io.stderr(`${word} ...`);
  const done = work();
  io.stderr("\r\u001b[K");
  return done;
}
