// The compiler, the symbol lister and the static libc of a machine: finds them and runs them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { isAbsolute } from "node:path";
import { fail } from "../failure.ts";
import type { Machine } from "./machine.ts";

/** The largest tool output that is read; the symbols of libc are under 1 MB of text. */
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

/** The path of the static libc, or undefined if the compiler or the library is missing. */
export function findStaticLibc(machine: Machine): string | undefined {
  const found = spawnSync(machine.compiler, ["-print-file-name=libc.a"], { encoding: "utf8" });
  // The compiler prints the bare name if it has no such file.
  const path = found.status === 0 ? found.stdout.trim() : "";
  return isAbsolute(path) && existsSync(path) ? path : undefined;
}

/** Runs a tool and returns its output, or fails with the tool's message. Warnings about static linking are dropped. */
export function runTool(command: string, args: readonly string[]): string {
  const run = spawnSync(command, args, { maxBuffer: OUTPUT_LIMIT_BYTES, encoding: "latin1" });
  if (run.error !== undefined) return fail(`cannot run ${command}: ${run.error.message}`);
  if (run.status === 0) return run.stdout;
  const said = run.stderr.split("\n").filter((line) => line !== "" && !/warning:|in function /.test(line));
  return fail(`${command} failed: ${said.join("\n")}`);
}

/** A line of a symbol lister's output. */
export type ListedSymbol = { readonly name: string; readonly kind: string; readonly value: number };

/** Lists the defined symbols of an object, archive or executable. */
export function listSymbols(machine: Machine, path: string): readonly ListedSymbol[] {
  const lines = runTool(machine.symbolLister, ["--defined-only", path]).split("\n");
  return lines.flatMap((line) => {
    const [value, kind, name] = line.split(" ");
    return value && kind && name ? [{ name, kind, value: Number.parseInt(value, 16) }] : [];
  });
}
