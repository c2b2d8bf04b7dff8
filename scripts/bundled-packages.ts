// Entry file -> the packages whose code ends up in its program, by the compiler's own account of what it bundled.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fail } from "./failure.ts";
import { PROJECT } from "./project.ts";

/** The names of the packages in a program, in order; nothing is compiled for it, bundling takes the same files. */
export function bundledPackages(entry: string): readonly string[] {
  const directory = mkdtempSync(join(tmpdir(), "bundled-packages-"));
  try {
    const metafile = join(directory, "meta.json");
    const flags = ["--production", "--target=bun", "--format=esm", `--metafile=${metafile}`];
    const command = ["build", ...flags, entry, `--outfile=${join(directory, "bundle.js")}`];
    const run = spawnSync(process.execPath, command, { cwd: PROJECT, encoding: "utf8" });
    if (run.status !== 0) fail(`cannot bundle "${entry}":\n${run.stderr}`);
    const account: { readonly inputs: Readonly<Record<string, unknown>> } = JSON.parse(readFileSync(metafile, "utf8"));
    return [...new Set(Object.keys(account.inputs).flatMap(packageOf))].sort();
  } finally {
    rmSync(directory, { recursive: true });
  }
}

// A package may have packages of its own below it, so the last of such folders counts.
function packageOf(path: string): readonly string[] {
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  return name === undefined ? [] : [name];
}
