// A program that the build tests compile. It tries what a static program could be unable to do, and prints the results
// as JSON.
import { dlopen } from "bun:ffi";
import { lookup } from "node:dns/promises";
import { userInfo } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { FFI_FUNCTIONS } from "../../scripts/project.ts";

/** What the program prints. */
export type SampleFacts = {
  readonly args: readonly string[];
  readonly fromDotenv: string;
  readonly preloaded: boolean;
  readonly sql: unknown;
  readonly bound: readonly string[];
  readonly foreignLibrary: string;
  readonly localhost: string;
  readonly user: string;
};

if (import.meta.main) {
  const [mode, path = "", ...rest] = process.argv.slice(2);
  if (mode === "become") process.execve?.(path, [path, ...rest], { FROM: "the runtime" });
  if (mode === "abort") process.abort();
  const facts = mode === "short"
    ? { args: process.argv.slice(2) }
    : mode === "variables"
    ? process.env
    : await collectFacts();
  console.log(JSON.stringify(facts));
}

async function collectFacts(): Promise<SampleFacts> {
  return {
    args: process.argv.slice(2),
    fromDotenv: process.env["FROM_DOTENV"] ?? "nothing",
    preloaded: "preloaded" in globalThis,
    sql: new DatabaseSync(":memory:").prepare("select 40 + 2 as answer").get(),
    bound: FFI_FUNCTIONS.filter((name) => bind("libc.so.6", name) === "bound"),
    foreignLibrary: bind("libz.so.1", "zlibVersion"),
    localhost: (await lookup("localhost", 4)).address,
    user: userInfo().username,
  };
}

function bind(library: string, name: string): string {
  try {
    dlopen(library, { [name]: { args: [], returns: "i32" } });
    return "bound";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
