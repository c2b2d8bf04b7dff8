// The daemon runs under Bun and under Deno, and uses the URL parser of either for host names. Both must give the same
// contexts.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { contextOf } from "../../src/action/request-context.ts";
import type { PermissionBody } from "../../src/wire/agent-api.ts";
import { readContextCases } from "./context-table.ts";

const SCRIPT = fileURLToPath(new URL("print-contexts.ts", import.meta.url));
const DENO = fileURLToPath(new URL("../../node_modules/.bin/deno", import.meta.url));
const TIMEOUT_MS = 60_000;

test("contextOf gives the same result under Deno and Bun", () => {
  const input = JSON.stringify(readContextCases().map((row) => row.request));
  const run = spawnSync(DENO, ["run", "--no-prompt", "--cached-only", SCRIPT], {
    input,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect(run.status, run.stderr).toBe(0);
  const lines = run.stdout.trimEnd().split("\n");
  // Parsed from JSON, which has no infinity, so that both runtimes get the same requests.
  const requests = JSON.parse(input) as readonly PermissionBody[];
  expect(lines.length).toBe(requests.length);
  for (const [index, request] of requests.entries()) {
    expect(lines[index], JSON.stringify(request)).toBe(JSON.stringify(contextOf(request)));
  }
}, TIMEOUT_MS);
