// Arguments of the build and what the machine has -> how the programs are linked, and what to tell about it.
import { fail } from "./failure.ts";
import type { Machine } from "./static-relink/machine.ts";

/** Whether a program carries its libc or takes the machine's. */
export type Linkage = "static" | "dynamic";

/** A linkage, and the line that says why it is not the usual one. */
export type LinkageChoice = { readonly linkage: Linkage; readonly notice?: string };

/** Static, unless `--dynamic` asks otherwise or there is no static libc (`libc` is its path, where there is one). */
export function chooseLinkage(args: readonly string[], machine: Machine, libc: string | undefined): LinkageChoice {
  const unknown = args.find((arg) => arg !== "--dynamic");
  if (unknown !== undefined) fail(`unknown argument "${unknown}"; usage: bun run build [--dynamic]`);
  if (args.includes("--dynamic")) return { linkage: "dynamic" };
  if (libc !== undefined) return { linkage: "static" };
  return {
    linkage: "dynamic",
    notice: `no compiler with a static libc here, so the programs stay dynamic: install ${machine.packages}`,
  };
}
