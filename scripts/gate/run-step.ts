// Running the steps of a gate: a heading with the time it took, its output as it comes, its tally.
import { spawn, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DIST, PROJECT } from "../project.ts";
import type { Check, TestRun } from "./steps.ts";
import type { Tally } from "./tally.ts";
import { readTestReport } from "./test-report.ts";

// Both keep the tools from asking the network or the home directory for anything.
const TOOL_ENVIRONMENT = { DENO_DIR: join(PROJECT, ".cache", "deno"), DENO_NO_UPDATE_CHECK: "1" };

/** Runs one check. */
export function runCheck({ name, command }: Check): Tally {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const exitCode = runCommand(command, {});
  console.log(`== ${name}: ${exitCode === 0 ? "passed" : "failed"} in ${secondsSince(started)} s`);
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: [] };
}

/** Runs tests side by side; the output of the first comes as it is made, that of the others behind it. */
export async function runAllTests(runs: readonly TestRun[]): Promise<readonly Tally[]> {
  const running = runs.map((run, at) => runTests(run, at === 0));
  const tallies: Tally[] = [];
  for (const each of running) {
    const { tally, output } = await each;
    // The process may end right behind this.
    await new Promise<void>((resolve) => void process.stdout.write(output, () => resolve()));
    tallies.push(tally);
  }
  return tallies;
}

type Ran = { readonly tally: Tally; readonly output: string };

async function runTests({ name, only, leftOut, cases, flags, built }: TestRun, streams: boolean): Promise<Ran> {
  const started = performance.now();
  let output = "";
  const say = (text: string) => {
    if (streams) process.stdout.write(text);
    else output += text;
  };
  say(`\n== ${name}\n`);
  const directory = mkdtempSync(join(tmpdir(), "gate-"));
  try {
    const path = join(directory, "report.xml");
    const ignored = leftOut.map((name) => `--path-ignore-patterns=test/${name}/**`);
    const report = ["--reporter=junit", `--reporter-outfile=${path}`];
    const folders = only.map((folder) => `./test/${folder}/`);
    const command = [process.execPath, "test", ...flags, ...ignored, ...report, ...folders];
    const environment = { OUTCALL_CASES: String(cases), ...(built ? { OUTCALL_TEST_DIST: DIST } : {}) };
    const exitCode = await followCommand(command, environment, say);
    const files = testFiles(leftOut).filter((file) => only.length === 0 || only.some((each) => isBelow(file, each)));
    const tally = readTestReport({ report: readReport(path), files, exitCode });
    for (const problem of tally.problems) say(`== ${name}: ${problem}\n`);
    for (const skipped of tally.skipped) say(`== ${name}: skipped ${skipped}\n`);
    say(`== ${name}: ${tally.failed === 0 ? "passed" : "failed"} in ${secondsSince(started)} s\n`);
    return { tally, output };
  } finally {
    rmSync(directory, { recursive: true });
  }
}

// No report is a finding of its own: every file is then missing from it.
function readReport(path: string): string {
  return globSync(path).length === 0 ? "" : readFileSync(path, "utf8");
}

function testFiles(leftOut: readonly string[]): readonly string[] {
  const files = globSync("test/**/*.test.ts", { cwd: PROJECT });
  return files.filter((file) => !leftOut.some((each) => isBelow(file, each))).sort();
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(`test/${folder}/`);
}

function followCommand(
  [command = "", ...args]: readonly string[],
  environment: Record<string, string>,
  say: (text: string) => void,
): Promise<number> {
  const child = spawn(command, args, {
    cwd: PROJECT,
    env: { ...process.env, ...TOOL_ENVIRONMENT, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", say);
  return new Promise((resolve) => {
    child.once("error", (cause) => {
      say(`cannot run ${command}: ${cause.message}\n`);
      resolve(1);
    });
    child.once("close", (code) => resolve(code ?? 1));
  });
}

function runCommand([command = "", ...args]: readonly string[], environment: Record<string, string>): number {
  const run = spawnSync(command, args, {
    cwd: PROJECT,
    env: { ...process.env, ...TOOL_ENVIRONMENT, ...environment },
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (run.error !== undefined) console.log(`cannot run ${command}: ${run.error.message}`);
  return run.status ?? 1;
}

function secondsSince(started: number): string {
  return ((performance.now() - started) / 1000).toFixed(1);
}
