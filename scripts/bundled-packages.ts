// Entry file -> the packages whose code ends up in its program, taken from the compiler's metafile.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "./failure.ts";
import { PROJECT } from "./project.ts";

/** A package in a program. */
export type BundledPackage = {
  readonly name: string;
  /** Its directory in the project; nested packages are possible. */
  readonly directory: string;
};

/**
 * The sorted names of the packages in a program. Only bundles the sources, without compiling: both use the same files.
 */
export function bundledPackages(entry: string): readonly string[] {
  return [...new Set(locateBundledPackages(entry).map(({ name }) => name))];
}

/** The packages in a program with their directories, sorted by name. */
export function locateBundledPackages(entry: string): readonly BundledPackage[] {
  const directory = mkdtempSync(join(tmpdir(), "bundled-packages-"));
  try {
    const metafile = join(directory, "meta.json");
    const flags = ["--production", "--target=bun", "--format=esm", `--metafile=${metafile}`];
    const command = ["build", ...flags, entry, `--outfile=${join(directory, "bundle.js")}`];
    const run = spawnSync(process.execPath, command, { cwd: PROJECT, encoding: "utf8" });
    if (run.status !== 0) fail(`cannot bundle "${entry}":\n${run.stderr}`);
    const account: { readonly inputs: Readonly<Record<string, unknown>> } = JSON.parse(readFileSync(metafile, "utf8"));
    const found = new Map(Object.keys(account.inputs).flatMap(packageOf).map((each) => [each.directory, each]));
    return [...found.values()].sort((one, other) => one.name < other.name ? -1 : 1);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

// With nested packages, the innermost `node_modules` counts.
function packageOf(path: string): readonly BundledPackage[] {
  const [directory, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  return directory === undefined || name === undefined ? [] : [{ name, directory }];
}
