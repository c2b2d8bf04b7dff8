// The current process, in the form that `main` takes.
import { URL } from "node:url";
import type { Process } from "./main.ts";
import { outputTo } from "./output.ts";

/** A process whose output can be waited for. */
export type FlushingProcess = Process & {
  /** Resolves with the exit code once the output is written, or cannot be. Lost standard output turns 0 into 1. */
  readonly flush: (exitCode: number) => Promise<number>;
};

/** The current process. */
export function currentProcess(entry: string): FlushingProcess {
  // At once, because the signal ends a process that has no listener for it.
  const hangUps: { count: number; listener: (() => void) | null } = { count: 0, listener: null };
  process.on("SIGHUP", () => {
    hangUps.count++;
    hangUps.listener?.();
  });
  const [out, errors] = [outputTo(process.stdout), outputTo(process.stderr)];
  return {
    entry: new URL(entry),
    argv: process.argv.slice(2),
    environment: process.env,
    isTerminal: process.stderr.isTTY === true,
    writeOut: out.write,
    writeError: errors.write,
    flush: async (exitCode) => {
      const isWhole = await out.arrived();
      if (!isWhole) errors.write("Error: standard output cannot be written\n");
      // After serving, a stuck reader of the log must not delay the exit.
      if (exitCode !== 0 || !isWhole) await errors.arrived();
      return isWhole ? exitCode : exitCode || 1;
    },
    onHangUp: (listener) => {
      hangUps.listener = listener;
      if (hangUps.count > 0) listener();
    },
    // The listeners stay: a second signal, as from a terminal and a wrapper, must not interrupt the orderly stop.
    stopped: new Promise((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => resolve(signal));
    }),
  };
}
