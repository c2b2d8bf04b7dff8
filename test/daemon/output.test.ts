// The last output of a program before it exits is not lost.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { outputTo } from "../../src/daemon/output.ts";
import { sourceProgram } from "../support/program/programs.ts";

test("outputTo: waits until a slow reader has read everything", async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  const output = outputTo(stream);
  expect(await output.arrived()).toBe(true);
  for (const text of ["a", "b", "c"]) output.write(text);
  const arrived = output.arrived();
  expect(stream.read()).not.toBeNull();
  stream.resume();
  expect(await arrived).toBe(true);
});

const refused = new Error("no space left on device");
test.each([
  { note: "calls back with an error", write: (done: (error: Error) => void) => done(refused) },
  {
    note: "throws",
    write: () => {
      throw refused;
    },
  },
])("outputTo: a stream that $note has lost something", async ({ write }) => {
  const output = outputTo(new Writable({ write: (_chunk, _encoding, done) => write(done) }));
  output.write("a");
  output.write("b");
  expect(await output.arrived()).toBe(false);
});

// More lines than fit into a pipe, which holds 64 KiB.
const MANY = 2_000;

test("outcalld: a slow reader gets all findings, and a full disk is reported", () => {
  const dir = mkdtempSync(join(tmpdir(), "output-"));
  try {
    mkdirSync(join(dir, "rules.d"), { mode: 0o755 });
    const rules = Array.from(
      { length: MANY },
      (_, n) => `  - {id: r${n}, condition: run.tolo == "x", action: block}\n`,
    );
    writeFileSync(join(dir, "rules.d/a.yaml"), `version: "1"\nrules:\n${rules.join("")}`, { mode: 0o644 });
    const shell = (script: string) =>
      spawnSync("sh", ["-c", script, "sh", ...sourceProgram("outcalld"), "--rules-dir", join(dir, "rules.d")], {
        encoding: "utf8",
        env: { PATH: process.env["PATH"] },
      });
    expect(shell('"$@" --check | (sleep 1; wc -l)').stdout.trim()).toBe(String(MANY + 1));
    expect(shell('"$@" 2>&1 | (sleep 1; wc -l)').stdout.trim()).toBe(String(MANY + 1));
    const full = shell('"$@" --version >/dev/full');
    expect({ status: full.status, stderr: full.stderr }).toEqual({
      status: 1,
      stderr: "Error: standard output cannot be written\n",
    });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}, 60_000);
