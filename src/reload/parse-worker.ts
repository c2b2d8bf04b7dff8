// The thread that reads and parses rule files for the one that serves: a part for each time it is asked.
import type { MessagePort } from "node:worker_threads";
import { invariant } from "../core/invariant.ts";
import type { DirectoryOptions } from "../rule/load-rules.ts";
import { parseDirectory } from "../rule/parse-directory.ts";

/** The task of a thread that parses a rules directory. */
export type RulesTask = { readonly kind: "rules"; readonly options: DirectoryOptions };

/** Serves the parts of one directory. */
export function serveParsing(port: MessagePort, options: DirectoryOptions): void {
  const parts = parseDirectory(options);
  port.on("message", async () => {
    const next = await parts.next();
    invariant(next.done !== true, "nobody asks for more than there is");
    port.postMessage(next.value);
  });
}
