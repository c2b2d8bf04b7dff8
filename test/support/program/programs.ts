// The programs under test: from source for the fast tests, built for the others. Never one in place of the other.
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

/** The three programs. */
export type ProgramName = "outcalld" | "outcall" | "outcall-agent";

/** How a program is started: the name of the form, and the words before its arguments. */
export type ProgramForm = { readonly form: "source" | "built"; readonly command: readonly string[] };

const ROOT = join(import.meta.dir, "..", "..", "..");

/** The program run from source by the runtime that runs the test, with no settings of the directory it is run in. */
export function sourceProgram(name: ProgramName): readonly string[] {
  return [process.execPath, "--no-env-file", `--config=${join(ROOT, "bunfig.toml")}`, join(ROOT, "src", `${name}.ts`)];
}

/** The built program; a test that needs it fails where it is missing. */
export function program(name: ProgramName): readonly string[] {
  const path = builtPath(name);
  if (!existsSync(path)) throw new Error(`${path} is missing: run the build first`);
  return [path];
}

/** The program from source, and built where `OUTCALL_TEST_DIST` says that the build is of these sources. */
export function programForms(name: ProgramName): readonly ProgramForm[] {
  const source: ProgramForm = { form: "source", command: sourceProgram(name) };
  return process.env["OUTCALL_TEST_DIST"] !== undefined
    ? [source, { form: "built", command: program(name) }]
    : [source];
}

/** The program run from source by Deno itself, not by the script in front of it, which passes no signal on. */
export function denoProgram(name: ProgramName): readonly string[] {
  const deno = join(ROOT, "node_modules", "@deno", `linux-${process.arch}-glibc`, "deno");
  return [deno, "run", "--allow-all", "--no-check", join(ROOT, "src", `${name}.ts`)];
}

/** Where the build puts programs, or where `OUTCALL_TEST_DIST` says they are. */
function builtPath(name: ProgramName): string {
  return join(process.env["OUTCALL_TEST_DIST"] ?? join(ROOT, "dist"), name);
}
