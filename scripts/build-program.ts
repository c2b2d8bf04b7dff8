// An entry file -> one executable that needs nothing beside it: compiled with its runtime, then made static. The same
// sources and tools give the same bytes, wherever they stand.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fail } from "./failure.ts";
import type { Linkage } from "./linkage.ts";
import { FFI_FUNCTIONS } from "./project.ts";
import { relink } from "./static-relink/relink.ts";
import type { Start } from "./static-relink/start.ts";

/** One program to build. */
export type BuildOptions = {
  readonly entry: string;
  /** The finished file; its name becomes the program's own. */
  readonly output: string;
  readonly linkage: Linkage;
  /** For a static program; a dynamic one starts with its runtime. */
  readonly start: Start;
  /** The runtime that the program gets, where it is not the one that builds it. */
  readonly runtime?: Runtime;
};

/** A runtime's program, and the compiler's name for what it runs on, such as `bun-linux-arm64`. */
export type Runtime = { readonly target: string; readonly path: string };

// The two files are read from the directory in which a program is *started*: whoever can write there would steer it.
const NO_FILES_AT_RUN_TIME = ["--no-compile-autoload-bunfig", "--no-compile-autoload-dotenv"];
const COMPILE_FLAGS = ["--compile", "--minify", "--bytecode", "--format=esm", ...NO_FILES_AT_RUN_TIME];

/** Builds one program; the finished file appears at once and whole, also where the old one is running. */
export function buildProgram({ entry, output, linkage, start, runtime }: BuildOptions): void {
  if (!existsSync(entry)) fail(`no entry file "${entry}"`);
  const target = resolve(output);
  mkdirSync(resolve(target, ".."), { recursive: true });
  // Beside the output, so that the last step is a rename within one file system.
  const work = mkdtempSync(join(resolve(target, ".."), ".build-"));
  try {
    const compiled = join(work, basename(target));
    compile(resolve(entry), compiled, runtime);
    if (linkage === "dynamic") return renameSync(compiled, target);
    const joined = join(work, "static");
    relink({ input: compiled, output: joined, names: FFI_FUNCTIONS, start });
    renameSync(joined, target);
  } finally {
    rmSync(work, { recursive: true });
  }
}

function compile(entry: string, output: string, runtime: Runtime | undefined): void {
  // One variable adds flags to the build, the other ends up in the program.
  const environment: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "production" };
  delete environment["BUN_OPTIONS"];
  const forRuntime = runtime === undefined
    ? ["--target=bun"]
    : [`--target=${runtime.target}`, `--compile-executable-path=${runtime.path}`];
  const run = spawnSync(process.execPath, ["build", ...COMPILE_FLAGS, ...forRuntime, entry, `--outfile=${output}`], {
    cwd: dirname(output),
    env: environment,
    encoding: "utf8",
  });
  if (run.error !== undefined) fail(`cannot run the compiler: ${run.error.message}`);
  if (run.status !== 0) fail(`cannot compile "${entry}":\n${run.stderr.trim()}`);
}
