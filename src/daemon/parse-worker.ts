// The thread that reads and parses rule files for the one that serves: a part for each time it is asked.
import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../core/invariant.ts";
import type { DirectoryOptions } from "../rule/load.ts";
import { parseDirectory } from "../rule/parse-directory.ts";

/** Serves the thread that started this one, until that ends it. */
export function serveParsing(): void {
  const port = parentPort;
  invariant(port !== null, "only a worker parses for another thread");
  const options: DirectoryOptions = workerData;
  const parts = parseDirectory(options);
  port.on("message", async () => {
    const next = await parts.next();
    invariant(next.done !== true, "nobody asks for more than there is");
    port.postMessage(next.value);
  });
}
