// The real process as `main` wants it.
import type { Process } from "./main.ts";

/** This process: its arguments, environment, standard streams, and the signals that ask it to stop. */
export function currentProcess(): Process {
  return {
    argv: process.argv.slice(2),
    environment: process.env,
    isTerminal: process.stderr.isTTY === true,
    writeOut: (text) => void process.stdout.write(text),
    writeError: (text) => void process.stderr.write(text),
    // For good: a signal that comes twice, as from a terminal and a wrapper, must not cut the orderly end short.
    stopped: new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve(signal));
    }),
  };
}
