// Runs every script of this folder: the built programs of OUTCALL_DIST where that is set, else the sources.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type ProgramName, sourceProgram } from "../support/programs.ts";
import { parseScript, type Step } from "./script.ts";

const PROGRAMS: readonly ProgramName[] = ["outcall", "outcalld", "outcall-agent"];
const dist = process.env["OUTCALL_DIST"];
const scripts = readdirSync(import.meta.dir).filter((name) => name.endsWith(".txt")).sort();

for (const name of scripts) {
  const { steps, files } = parseScript(readFileSync(join(import.meta.dir, name), "utf8"));
  describe(name, () => {
    let directory = "";
    beforeAll(() => {
      directory = mkdtempSync(join(tmpdir(), "golden-"));
      for (const file of files) {
        const path = join(directory, file.name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, file.text);
        chmodSync(path, file.mode);
      }
    });
    afterAll(() => rmSync(directory, { recursive: true, force: true }));
    for (const step of steps) {
      test(`line ${step.line}: ${step.words.join(" ")}`, () => {
        const { stdout, stderr, exit } = step;
        expect(run(step, directory)).toEqual({ stdout, stderr, exit });
      }, 30_000);
    }
  });
}

test("there are scripts, and each has steps", () => {
  expect(scripts.length).toBeGreaterThan(0);
  for (const name of scripts) {
    expect(parseScript(readFileSync(join(import.meta.dir, name), "utf8")).steps).not.toEqual([]);
  }
});

function run({ words: [first = "", ...words], variables, stdin }: Step, cwd: string) {
  const program = PROGRAMS.find((name) => name === first);
  if (program === undefined) throw new Error(`no program of ours: ${first}`);
  const [file = "", ...args] = dist === undefined ? sourceProgram(program) : [resolve(dist, program)];
  const result = spawnSync(file, [...args, ...words], {
    cwd,
    input: stdin,
    encoding: "utf8",
    // Nothing of the environment of the tests themselves may steer the programs.
    env: { PATH: process.env["PATH"], ...variables },
  });
  return { stdout: result.stdout, stderr: result.stderr, exit: result.status };
}
