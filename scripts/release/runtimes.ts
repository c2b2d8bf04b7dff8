// The runtimes of all targets, fetched as npm packages with a lock file of their own. The compiler could fetch them
// too, but it would not check their hashes.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Runtime } from "../build-program.ts";
import { fail } from "../failure.ts";
import { PROJECT } from "../project.ts";
import type { Target } from "./targets.ts";

const LOCKED = join(import.meta.dir, "runtimes");
const FETCHED = join(PROJECT, ".cache", "runtimes");

/** The SHA-512 of a runtime's package according to the lock file, in base64. */
export function runtimeIntegrity({ runtimePackage }: Target): string {
  const lock = readFileSync(join(LOCKED, "bun.lock"), "utf8");
  const line = lock.split("\n").find((each) => each.trimStart().startsWith(`"${runtimePackage}": [`));
  return /"sha512-([^"]+)"\]/.exec(line ?? "")?.[1] ??
    fail(`scripts/release/runtimes/bun.lock has no package "${runtimePackage}"`);
}

/** Fetches the runtimes that are missing; the first run needs the network. */
export function fetchRuntimes(): void {
  mkdirSync(FETCHED, { recursive: true });
  for (const name of ["package.json", "bun.lock"]) copyFileSync(join(LOCKED, name), join(FETCHED, name));
  const flags = ["--frozen-lockfile", "--ignore-scripts", "--os=linux", "--cpu=*"];
  const run = spawnSync(process.execPath, ["install", ...flags], { cwd: FETCHED, encoding: "utf8" });
  if (run.status !== 0) fail(`cannot fetch the runtimes of the targets:\n${run.stderr.trim()}`);
}

/** A target's runtime, after it was fetched. */
export function runtimeOf(target: Target): Runtime {
  const path = join(FETCHED, "node_modules", target.runtimePackage, "bin", "bun");
  if (!existsSync(path)) fail(`the package ${target.runtimePackage} does not contain the program "${path}"`);
  return { target: target.compilerTarget, path };
}
