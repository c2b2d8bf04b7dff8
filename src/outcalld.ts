#!/usr/bin/env -S deno run -A
// outcalld: the daemon on the host, and the thread of it that parses rules.
import { isMainThread } from "node:worker_threads";
import { main } from "./daemon/main.ts";
import { serveParsing } from "./daemon/parse-worker.ts";
import { currentProcess } from "./daemon/process.ts";

if (isMainThread) process.exit(await main(currentProcess(import.meta.url)));
serveParsing();
