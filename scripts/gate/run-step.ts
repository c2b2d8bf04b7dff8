// Runs the steps of a gate: prints a heading, the step's output as it arrives, the time it took, and returns its tally.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DIST, PROJECT } from "../project.ts";
import type { Check, TestRun } from "./steps.ts";
import type { Tally } from "./tally.ts";
import { readTestReport } from "./test-report.ts";

// Both keep Deno away from the network and the home directory.
const TOOL_ENVIRONMENT = { DENO_DIR: join(PROJECT, ".cache", "deno"), DENO_NO_UPDATE_CHECK: "1" };

/** Runs one check. */
export function runCheck({ name, command }: Check): Tally {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const exitCode = runCommand(command, {});
  console.log(`== ${name}: ${exitCode === 0 ? "passed" : "failed"} in ${secondsSince(started)} s`);
  return { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: [] };
}

/** Runs the tests. */
export function runTests({ leftOut, cases, flags, built }: TestRun): Tally {
  console.log("\n== tests");
  const started = performance.now();
  const directory = mkdtempSync(join(tmpdir(), "gate-"));
  try {
    const path = join(directory, "report.xml");
    const ignored = leftOut.map((name) => `--path-ignore-patterns=test/${name}/**`);
    const report = ["--reporter=junit", `--reporter-outfile=${path}`];
    const environment = { OUTCALL_CASES: String(cases), ...(built ? { OUTCALL_TEST_DIST: DIST } : {}) };
    const exitCode = runCommand([process.execPath, "test", ...flags, ...ignored, ...report], environment);
    const tally = readTestReport({ report: readReport(path), files: testFiles(leftOut), exitCode });
    for (const problem of tally.problems) console.log(`== tests: ${problem}`);
    for (const skipped of tally.skipped) console.log(`== tests: skipped ${skipped}`);
    for (const failure of tally.failures) console.log(`== tests: failed ${failure}`);
    console.log(`== tests: ${tally.failed === 0 ? "passed" : "failed"} in ${secondsSince(started)} s`);
    return tally;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

// A run that left no report counts as an empty report: every test file is then missing from it.
function readReport(path: string): string {
  return globSync(path).length === 0 ? "" : readFileSync(path, "utf8");
}

function testFiles(leftOut: readonly string[]): readonly string[] {
  const files = globSync("test/**/*.test.ts", { cwd: PROJECT });
  return files.filter((file) => !leftOut.some((each) => file.startsWith(`test/${each}/`))).sort();
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
