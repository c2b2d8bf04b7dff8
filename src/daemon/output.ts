// A standard stream that can be waited for: a pipe takes 64 KiB at once, and the rest would end with the process.
import type { Writable } from "node:stream";

/** What is written to a stream, and what became of it. */
export type Output = {
  readonly write: (text: string) => void;
  /** Resolves with true once all of it arrived, and with false as soon as some of it cannot. */
  readonly arrived: () => Promise<boolean>;
};

/** Writes to the stream; that it takes no more ends nothing. */
export function outputTo(stream: Writable): Output {
  const state = { underWay: 0, isLost: false, onSettled: () => {} };
  const lose = () => {
    state.isLost = true;
    state.onSettled();
  };
  // Without a listener some runtimes end the process.
  stream.on("error", lose);
  const settle = (error?: Error | null) => {
    state.underWay--;
    if (error !== undefined && error !== null) lose();
    if (state.underWay === 0) state.onSettled();
  };
  return {
    write: (text) => {
      state.underWay++;
      try {
        stream.write(text, settle);
      } catch {
        // Deno writes at once, throws, and calls nobody back.
        lose();
      }
    },
    arrived: async () => {
      if (state.underWay > 0 && !state.isLost) {
        await new Promise<void>((resolve) => {
          state.onSettled = resolve;
        });
      }
      return !state.isLost;
    },
  };
}
