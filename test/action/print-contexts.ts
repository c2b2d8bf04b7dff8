// Reads permission requests as a JSON list from standard input and prints the context of each as one line of JSON. A
// test runs it under another runtime.
import { text } from "node:stream/consumers";
import process from "node:process";
import { contextOf } from "../../src/action/request-context.ts";
import type { PermissionBody } from "../../src/wire/agent-api.ts";

const requests = JSON.parse(await text(process.stdin)) as readonly PermissionBody[];
for (const request of requests) process.stdout.write(`${JSON.stringify(contextOf(request))}\n`);
