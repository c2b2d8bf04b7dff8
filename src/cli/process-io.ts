// The real streams and environment of this process.
import { once } from "node:events";
import process from "node:process";
import { systemCodeOf } from "../core/thrown.ts";
import type { Io } from "./io.ts";

/** The width of a terminal that reports none, as some do, in cells. */
const USUAL_COLUMNS = 80;

const UNWRITTEN = "Error: standard output cannot be written\n";

/** The streams, environment and terminal of this process. */
export function processIo(): Io {
  process.stdout.on("error", (cause) => {
    // A closed pipe means that the reader, such as `head`, has enough. Any other failure, such as a full disk, is an error.
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
    columns: () => process.stdout.isTTY === true ? process.stdout.columns || USUAL_COLUMNS : null,
    isTerminal: { stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
  };
}
