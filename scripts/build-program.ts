// An entry file -> one self-contained executable: compiled with its runtime, then linked statically. The same sources
// and tools give the same bytes, whatever directory they are in.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fail } from "./failure.ts";
import type { Linkage } from "./linkage.ts";
import { FFI_FUNCTIONS, type Tuning } from "./project.ts";
import { relink } from "./static-relink/relink.ts";
import type { Start } from "./static-relink/start.ts";

/** One program to build. */
export type BuildOptions = {
  readonly entry: string;
  /** The path of the finished file; its base name becomes the program's name. */
  readonly output: string;
  readonly linkage: Linkage;
  /** How a static program starts; a dynamic program starts its runtime directly. */
  readonly start: Start;
  /** The runtime to put into the program, if it is not the Bun that runs the build. */
  readonly runtime?: Runtime;
} & Tuning;

/** The path of a runtime, and the compiler's name for its platform, such as `bun-linux-arm64`. */
export type Runtime = { readonly target: string; readonly path: string };

// Bun would read these two files from the directory in which a program is *started*, so anyone who can write there
// could change what the program does.
const NO_FILES_AT_RUN_TIME = ["--no-compile-autoload-bunfig", "--no-compile-autoload-dotenv"];
const COMPILE_FLAGS = ["--compile", "--minify", "--bytecode", "--format=esm", ...NO_FILES_AT_RUN_TIME];

/** Builds one program. The output is replaced by a rename, so it is never incomplete and may be running. */
export function buildProgram(options: BuildOptions): void {
  const { entry, output, linkage, start, pieceBytes } = options;
  if (!existsSync(entry)) fail(`no entry file "${entry}"`);
  const target = resolve(output);
  mkdirSync(resolve(target, ".."), { recursive: true });
  // In the output's directory, so that the last step is a rename within one file system.
  const work = mkdtempSync(join(resolve(target, ".."), ".build-"));
  try {
    const compiled = join(work, basename(target));
    compile(resolve(entry), compiled, options);
    if (linkage === "dynamic") return renameSync(compiled, target);
    const joined = join(work, "static");
    const pieces = pieceBytes === undefined ? {} : { pieceBytes };
    relink({ input: compiled, output: joined, names: FFI_FUNCTIONS, start, ...pieces });
    renameSync(joined, target);
  } finally {
    rmSync(work, { recursive: true });
  }
}

function compile(entry: string, output: string, { runtime, flags = [] }: BuildOptions): void {
  // BUN_OPTIONS would add flags to the build; NODE_ENV is compiled into the program.
  const environment: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: "production" };
  delete environment["BUN_OPTIONS"];
  const forRuntime = runtime === undefined
    ? ["--target=bun"]
    : [`--target=${runtime.target}`, `--compile-executable-path=${runtime.path}`];
  const words = ["build", ...COMPILE_FLAGS, ...forRuntime, ...flags, entry, `--outfile=${output}`];
  const run = spawnSync(process.execPath, words, {
    cwd: dirname(output),
    env: environment,
    encoding: "utf8",
  });
  if (run.error !== undefined) fail(`cannot run the compiler: ${run.error.message}`);
  if (run.status !== 0) fail(`cannot compile "${entry}":\n${run.stderr.trim()}`);
}
