// The tools that a machine needs to make a release. All missing tools are reported at once.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fail } from "../failure.ts";
import { PROJECT } from "../project.ts";
import type { Machine } from "../static-relink/machine.ts";
import { findStaticLibc } from "../static-relink/toolchain.ts";

/** Installs missing Debian packages if run as root, then fails with a list of the tools that are still missing. */
export function requireTools(machines: readonly Machine[]): void {
  const packages = ["gzip", "tar", ...new Set(machines.flatMap((machine) => machine.packages.split(" ")))];
  const installed = spawnSync(join(PROJECT, "scripts", "install-packages"), packages, {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (installed.status !== 0) fail("scripts/install-packages failed");
  const missing = missingTools(machines);
  if (missing.length > 0) fail(`cannot build a release, because tools are missing: ${missing.join("; ")}`);
}

/** The missing tools, each with the package to install. */
export function missingTools(machines: readonly Machine[]): readonly string[] {
  if (process.arch !== "x64") return [`releases can only be built on x64, this machine is "${process.arch}"`];
  const libraries = [...new Set(machines)].filter((machine) => findStaticLibc(machine) === undefined)
    .map((machine) => `no static libc for ${machine.name} (install ${machine.packages})`);
  const tools = [["tar", "tar"], ["gzip", "gzip"], ["dpkg-query", "dpkg"]] as const;
  const programs = tools.filter(([tool]) => spawnSync(tool, ["--version"]).status !== 0)
    .map(([tool, name]) => `no ${tool} (install ${name})`);
  return [...libraries, ...programs];
}
