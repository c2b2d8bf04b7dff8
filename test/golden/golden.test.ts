// Runs every script of this folder, with the built programs if OUTCALL_TEST_DIST is set, otherwise from source.
import { expect, test } from "bun:test";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve as resolvePath } from "node:path";
import { type ProgramName, sourceProgram } from "../support/program/programs.ts";
import { parseScript, placeDirectory, type ScriptFile, type Step, wordAs } from "./script.ts";

const PROGRAMS: readonly ProgramName[] = ["outcall", "outcalld", "outcall-agent"];
const TIMEOUT_MS = 120_000;
const dist = process.env["OUTCALL_TEST_DIST"];
const scripts = readdirSync(import.meta.dir).filter((name) => name.endsWith(".txt")).sort();

// One test per script, because its steps depend on each other.
for (const name of scripts) {
  test(name, async () => {
    const { steps, files } = parseScript(readFileSync(join(import.meta.dir, name), "utf8"));
    const directory = mkdtempSync(join(tmpdir(), "golden-"));
    const daemons: ChildProcess[] = [];
    try {
      for (const file of files) writeScriptFile(directory, file);
      for (const step of steps) {
        if (step.isDaemon) daemons.push(await start(step, directory));
        else expectOutput(name, step, directory);
      }
    } finally {
      for (const daemon of daemons) await stop(daemon);
      rmSync(directory, { recursive: true, force: true });
    }
  }, TIMEOUT_MS);
}

test("there are scripts, and each has steps", () => {
  expect(scripts.length).toBeGreaterThan(0);
  for (const name of scripts) {
    expect(parseScript(readFileSync(join(import.meta.dir, name), "utf8")).steps).not.toEqual([]);
  }
});

function writeScriptFile(directory: string, file: ScriptFile): void {
  const path = join(directory, file.name);
  mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
  // Independent of the umask: the daemon refuses directories that others may write.
  chmodSync(dirname(path), 0o755);
  writeFileSync(path, file.text);
  chmodSync(path, file.mode);
}

function expectOutput(script: string, step: Step, directory: string): void {
  const { file, args, options } = commandOf(step, directory);
  const result = spawnSync(file, args, { ...options, input: step.stdin, encoding: "utf8" });
  const { stdout, stderr, exit } = step;
  const place = `${script}, line ${step.line}: ${step.words.join(" ")}`;
  expect({
    place,
    stdout: wordAs(stdout, result.stdout, directory),
    stderr: wordAs(stderr, result.stderr, directory),
    exit: result.status,
  }).toEqual({ place, stdout, stderr, exit });
}

// Waits until the daemon logs that it is ready. If it ends instead, the test fails with its output. The log is read to
// its end, so that the daemon never blocks on a full pipe.
async function start(step: Step, directory: string): Promise<ChildProcess> {
  const { file, args, options } = commandOf(step, directory);
  const child = spawn(file, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const { promise, resolve, reject } = Promise.withResolvers<ChildProcess>();
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text;
    if (/"event":"ready"/.test(said)) resolve(child);
  });
  child.once("error", reject);
  child.stderr.once("end", () => reject(new Error(`the daemon ended: ${said}`)));
  return await promise;
}

async function stop(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = once(daemon, "exit");
  daemon.kill("SIGTERM");
  await ended;
}

function commandOf({ words: [first = "", ...words], variables }: Step, cwd: string) {
  const program = PROGRAMS.find((name) => name === first);
  if (program === undefined) throw new Error(`no program of ours: ${first}`);
  const [file = "", ...before] = dist === undefined ? sourceProgram(program) : [resolvePath(dist, program)];
  // The programs get none of the variables of the tests' own environment.
  const placed = Object.entries(variables).map(([name, value]) => [name, placeDirectory(value, cwd)]);
  const options = { cwd, env: { PATH: process.env["PATH"], ...Object.fromEntries(placed) } };
  return { file, args: [...before, ...words.map((word) => placeDirectory(word, cwd))], options };
}
