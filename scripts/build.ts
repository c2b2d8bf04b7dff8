// `bun run build [--dynamic]`: the three programs in `dist`.
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { buildProgram, type Linkage } from "./build-program.ts";
import { fail, runMain } from "./failure.ts";
import { DIST, entryOf, PROGRAMS, PROJECT } from "./project.ts";
import { hostMachine } from "./static-relink/machine.ts";
import { findStaticLibc } from "./static-relink/toolchain.ts";

await runMain(() => {
  const linkage = chooseLinkage(process.argv.slice(2));
  for (const program of PROGRAMS) {
    const output = join(DIST, program);
    buildProgram({ entry: entryOf(program), output, linkage });
    const sizeMb = Math.round(statSync(output).size / 1e6);
    console.log(`built ${relative(PROJECT, output)}, ${linkage}, ${sizeMb} MB`);
  }
  return 0;
});

function chooseLinkage(args: readonly string[]): Linkage {
  const unknown = args.find((arg) => arg !== "--dynamic");
  if (unknown !== undefined) fail(`unknown argument "${unknown}"; usage: bun run build [--dynamic]`);
  if (args.includes("--dynamic")) return "dynamic";
  const machine = hostMachine();
  if (findStaticLibc(machine) !== undefined) return "static";
  console.log(`no compiler with a static libc here, so the programs stay dynamic: install ${machine.packages}`);
  return "dynamic";
}
