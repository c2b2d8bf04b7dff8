// The real streams and environment of this process.
import { once } from "node:events";
import process from "node:process";
import { systemCodeOf } from "../core/thrown.ts";
import type { Io } from "./io.ts";

const UNWRITTEN = "Error: standard output cannot be written\n";

/** The io of this process. */
export function processIo(): Io {
  process.stdout.on("error", (cause) => {
    // Whoever reads has read enough, as `head` does, and need not be told; of a full disk nobody knows yet.
    if (systemCodeOf(cause) !== "EPIPE") process.stderr.write(UNWRITTEN);
    process.exit(1);
  });
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
