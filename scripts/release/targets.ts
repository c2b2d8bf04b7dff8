// The platforms that have a release, each with the runtime for its programs.
import { fail } from "../failure.ts";
import { ARM64, type Machine, X64 } from "../static-relink/machine.ts";

/** A platform that archives are made for. */
export type Target = {
  /** The suffix of the archive's name. */
  readonly name: string;
  readonly machine: Machine;
  /** The package of its runtime, in `runtimes/bun.lock`. */
  readonly runtimePackage: string;
  /** The compiler's name for the platform. */
  readonly compilerTarget: string;
};

/** All targets; `x64-baseline` is for processors without AVX2, which means before Haswell (2013). */
export const TARGETS: readonly Target[] = [
  { name: "x64", machine: X64, runtimePackage: "@oven/bun-linux-x64", compilerTarget: "bun-linux-x64" },
  {
    name: "x64-baseline",
    machine: X64,
    runtimePackage: "@oven/bun-linux-x64-baseline",
    compilerTarget: "bun-linux-x64-baseline",
  },
  { name: "arm64", machine: ARM64, runtimePackage: "@oven/bun-linux-aarch64", compilerTarget: "bun-linux-arm64" },
];

/** The targets with these names, in the table's order; all targets if no name is given. */
export function chooseTargets(names: readonly string[]): readonly Target[] {
  const known = TARGETS.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    fail(`unknown target "${unknown}"; usage: bun run release [${known.join("] [")}]`);
  }
  return names.length === 0 ? TARGETS : TARGETS.filter(({ name }) => names.includes(name));
}
