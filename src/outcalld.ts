#!/usr/bin/env -S deno run -A
// outcalld: the daemon on the host.
import { main } from "./daemon/main.ts";
import { currentProcess } from "./daemon/process.ts";

process.exit(await main(currentProcess()));
