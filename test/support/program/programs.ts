// The programs under test: from source for the fast tests, built for the others. One never silently replaces the other.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** The three programs. */
export type ProgramName = "outcalld" | "outcall" | "outcall-agent";

/** How to start a program: whether it is built or run from source, and the command before its arguments. */
export type ProgramForm = { readonly form: "source" | "built"; readonly command: readonly string[] };

const ROOT = join(import.meta.dir, "..", "..", "..");

/** The program run from source by the runtime of the test. It ignores settings in the working directory. */
export function sourceProgram(name: ProgramName): readonly string[] {
  return [process.execPath, "--no-env-file", `--config=${join(ROOT, "bunfig.toml")}`, join(ROOT, "src", `${name}.ts`)];
}

/** The built program; the test fails if it is missing. */
export function program(name: ProgramName): readonly string[] {
  const path = builtPath(name);
  if (!existsSync(path)) throw new Error(`${path} is missing: run the build first`);
  return [path];
}

/** The program from source; and the built one too, if `OUTCALL_TEST_DIST` names a build of these sources. */
export function programForms(name: ProgramName): readonly ProgramForm[] {
  const source: ProgramForm = { form: "source", command: sourceProgram(name) };
  return process.env["OUTCALL_TEST_DIST"] !== undefined
    ? [source, { form: "built", command: program(name) }]
    : [source];
}

/** The program run from source by the Deno binary. The `deno` script of the npm package does not forward signals. */
export function denoProgram(name: ProgramName): readonly string[] {
  const deno = join(ROOT, "node_modules", "@deno", `linux-${process.arch}-glibc`, "deno");
  return [deno, "run", "--allow-all", "--no-check", join(ROOT, "src", `${name}.ts`)];
}

/** The path of a built program: in `dist`, or in the directory that `OUTCALL_TEST_DIST` names. */
function builtPath(name: ProgramName): string {
  return join(process.env["OUTCALL_TEST_DIST"] ?? join(ROOT, "dist"), name);
}
