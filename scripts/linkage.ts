// Arguments of the build and the tools of the machine -> how the programs are linked, and a notice if that is not
// static.
import { fail } from "./failure.ts";
import type { Machine } from "./static-relink/machine.ts";

/** Whether a program contains its libc or uses the machine's. */
export type Linkage = "static" | "dynamic";

/** A linkage, and the line that explains why it is not the default. */
export type LinkageChoice = { readonly linkage: Linkage; readonly notice?: string };

/**
 * Static by default. Dynamic with `--dynamic`, or when there is no static libc; `libc` is its path, if there is one.
 */
export function chooseLinkage(args: readonly string[], machine: Machine, libc: string | undefined): LinkageChoice {
  const unknown = args.find((arg) => arg !== "--dynamic");
  if (unknown !== undefined) fail(`unknown argument "${unknown}"; usage: bun run build [--dynamic]`);
  if (args.includes("--dynamic")) return { linkage: "dynamic" };
  if (libc !== undefined) return { linkage: "static" };
  return {
    linkage: "dynamic",
    notice:
      `found no compiler with a static libc, so the programs are linked dynamically; for static programs install ${machine.packages}`,
  };
}
