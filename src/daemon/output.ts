// A standard stream whose writes can be awaited: a pipe takes 64 KiB at once, and the rest would be lost when the process ends.
import type { Writable } from "node:stream";

/** A stream and the state of what was written to it. */
export type Output = {
  readonly write: (text: string) => void;
  /** Resolves with true once everything has been written, and with false as soon as a write fails. */
  readonly arrived: () => Promise<boolean>;
};

/** Wraps a stream; a failed write is reported by `arrived` and does not end the process. */
export function outputTo(stream: Writable): Output {
  const state = { underWay: 0, isLost: false, onSettled: () => {} };
  const lose = () => {
    state.isLost = true;
    state.onSettled();
  };
  // An error without a listener would end the process.
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
        // Deno writes at once: it throws, and does not call back.
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
