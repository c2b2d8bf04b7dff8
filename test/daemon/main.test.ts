// outcalld from its command line to its exit code when it does not serve: 2 for a wrong command line, 1 for anything
// else.
import { URL } from "node:url";
import { afterEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../src/daemon/main.ts";
import { STORE_FILE } from "../../src/request/request-store.ts";
import { daemonArgv, type DaemonFiles, layOut } from "../support/program/daemon.ts";

const laid: DaemonFiles[] = [];
afterEach(() => {
  for (const { dir } of laid.splice(0)) rmSync(dir, { recursive: true, force: true });
});

async function run(files: DaemonFiles, flags: readonly string[] = []) {
  const errors: string[] = [];
  const exit = await main({
    entry: new URL("../../src/outcalld.ts", import.meta.url),
    argv: daemonArgv(files, ["--bridge", "none", "--containers", "namespace", "--no-watch", ...flags], []),
    environment: {},
    isTerminal: false,
    writeOut: () => {},
    writeError: (text) => void errors.push(text),
    onHangUp: () => {},
    stopped: Promise.resolve("SIGTERM"),
  });
  return { exit, said: errors.at(-1) ?? "" };
}

function directories(): DaemonFiles {
  const files = layOut({ "a.yaml": 'version: "1"\nrules: []\n' });
  laid.push(files);
  return files;
}

test("1, even for a problem for which the shim has another exit code", async () => {
  const files = directories();
  mkdirSync(join(files.dir, "state"), { recursive: true });
  writeFileSync(join(files.dir, "state", STORE_FILE), "no database ".repeat(1_000));
  expect(await run(files)).toEqual({ exit: 1, said: expect.stringContaining(STORE_FILE) });
});

test("2 for a value that is malformed", async () => {
  expect(await run(directories(), ["--agent-timeout", "soon"])).toEqual({
    exit: 2,
    said: expect.stringMatching(/^Error: --agent-timeout is a duration/),
  });
});
