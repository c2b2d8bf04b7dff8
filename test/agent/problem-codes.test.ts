// The shim's own problem codes, each caused by its real trigger.
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask } from "../../src/agent/ask-verdict.ts";
import { runLink } from "../../src/agent/link.ts";
import { runProgram } from "../support/program/run-program.ts";
import { answering, jsonAnswer, type ScriptedDaemon, startDaemon } from "../support/socket/scripted-daemon.ts";

const daemons: ScriptedDaemon[] = [];
let dir = "";
afterEach(async () => {
  for (const daemon of daemons.splice(0)) await daemon.stop();
  rmSync(dir, { recursive: true, force: true });
});

function makeDir(): string {
  dir = mkdtempSync(join(tmpdir(), "outcall-codes-"));
  return dir;
}

const ACTION = { type: "tool_exec", target: "/bin/x", metadata: {} } as const;

test("agent.denied: too many requests", async () => {
  const refusal = jsonAnswer(429, { success: false, error: "slow down" }, ["Retry-After: 7"]);
  const daemon = await startDaemon(answering((socket) => socket.write(refusal)));
  daemons.push(daemon);
  expect(await ask({ socketPath: daemon.socketPath, timeoutMs: 5_000 }, ACTION)).toMatchObject({
    ok: false,
    error: { code: "agent.denied", message: "rate limited: try again in 7 seconds" },
  });
});

test("agent.unreachable: no socket", async () => {
  const socketPath = join(makeDir(), "none.sock");
  expect(await ask({ socketPath, timeoutMs: 5_000 }, ACTION)).toMatchObject({
    ok: false,
    error: { code: "agent.unreachable", message: `agent socket not found at ${socketPath} -- is outcalld running?` },
  });
});

test("agent.unreachable: refused", async () => {
  const daemon = await startDaemon((socket) => socket.write(jsonAnswer(503, { success: false, error: "not now" })));
  daemons.push(daemon);
  expect(await ask({ socketPath: daemon.socketPath, timeoutMs: 5_000 }, ACTION)).toMatchObject({
    ok: false,
    error: { code: "agent.unreachable" },
  });
});

test("agent.link: a directory that cannot be made", () => {
  const file = join(makeDir(), "file");
  writeFileSync(file, "");
  const invocation = { linkedAs: null, words: [], file: process.execPath, compiled: true };
  const task = { daemon: { socketPath: "/nowhere", timeoutMs: 1 }, verdictAsJson: false, invocation };
  expect(runLink(task, join(file, "bin"), ["git"])).toMatchObject({ ok: false, error: { code: "agent.link" } });
});

test("agent.output: a full standard output", async () => {
  const report = join(import.meta.dir, "..", "..", "src", "agent", "print-verdict.ts");
  const program = `const { print } = await import(${JSON.stringify(report)});
    const printed = print("verdict");
    console.error(printed.ok ? "printed" : printed.error.code);`;
  const ended = await runProgram(["sh", "-c", '"$0" -e "$1" >/dev/full', process.execPath, program]);
  expect(ended).toMatchObject({ code: 0, stderr: "agent.output\n" });
});
