#!/usr/bin/env -S deno run -A
// outcalld: the daemon on the host, and its threads.
import { isMainThread } from "node:worker_threads";
import { main } from "./daemon/main.ts";
import { currentProcess } from "./daemon/process.ts";
import { serveAsWorker } from "./daemon/worker.ts";

if (isMainThread) {
  const self = currentProcess(import.meta.url);
  process.exit(await self.flush(await main(self)));
}
serveAsWorker();
