// The real process as `main` wants it.
import { URL } from "node:url";
import type { Process } from "./main.ts";

/** This process: its entry file, arguments, environment, standard streams, and the signals that ask it for something. */
export function currentProcess(entry: string): Process {
  // From the first moment on, since until somebody listens the signal ends the process.
  const hangUps: { count: number; listener: (() => void) | null } = { count: 0, listener: null };
  process.on("SIGHUP", () => {
    hangUps.count++;
    hangUps.listener?.();
  });
  return {
    entry: new URL(entry),
    argv: process.argv.slice(2),
    environment: process.env,
    isTerminal: process.stderr.isTTY === true,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    onHangUp: (listener) => {
      hangUps.listener = listener;
      if (hangUps.count > 0) listener();
    },
    // For good: a signal that comes twice, as from a terminal and a wrapper, must not cut the orderly end short.
    stopped: new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve(signal));
    }),
  };
}
