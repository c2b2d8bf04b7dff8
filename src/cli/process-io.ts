// The real streams and environment of this process.
import { once } from "node:events";
import process from "node:process";
import type { Io } from "./io.ts";

/** The io of this process. */
export function processIo(): Io {
  // Whoever reads has read enough, as `head` does: there is nobody left to tell.
  process.stdout.on("error", () => process.exit(1));
  return {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    drained: async () => {
      if (process.stdout.writableNeedDrain) await once(process.stdout, "drain");
    },
    stdin: process.stdin,
    environment: process.env,
    isTerminal: { stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
  };
}
