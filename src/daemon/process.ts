// The real process as `main` wants it.
import { URL } from "node:url";
import type { Process } from "./main.ts";
import { outputTo } from "./output.ts";

/** A process whose output can be waited for. */
export type FlushingProcess = Process & {
  /** Resolves once what was written has arrived, or cannot, with the exit code: 1 for 0 where standard output was lost. */
  readonly flush: (exitCode: number) => Promise<number>;
};

/** This process: its entry file, arguments, environment, standard streams, and the signals that ask it for something. */
export function currentProcess(entry: string): FlushingProcess {
  // From the first moment on, since until somebody listens the signal ends the process.
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
      // After it has served, a reader of its log who stands still must not hold up the end.
      if (exitCode !== 0 || !isWhole) await errors.arrived();
      return isWhole ? exitCode : exitCode || 1;
    },
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
