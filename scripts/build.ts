// `bun run build [--dynamic]`: the three programs in `dist`.
import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { buildProgram } from "./build-program.ts";
import { runMain } from "./failure.ts";
import { chooseLinkage } from "./linkage.ts";
import { DIST, entryOf, PROGRAMS, PROJECT, startOf, tuningOf } from "./project.ts";
import { hostMachine } from "./static-relink/machine.ts";
import { findStaticLibc } from "./static-relink/toolchain.ts";

await runMain(() => {
  const machine = hostMachine();
  const { linkage, notice } = chooseLinkage(process.argv.slice(2), machine, findStaticLibc(machine));
  if (notice !== undefined) console.log(notice);
  for (const program of PROGRAMS) {
    const output = join(DIST, program);
    buildProgram({
      entry: entryOf(program),
      output,
      linkage,
      start: startOf(program),
      ...tuningOf(program),
    });
    console.log(`built ${relative(PROJECT, output)}, ${linkage}, ${Math.round(statSync(output).size / 1e6)} MB`);
  }
  return 0;
});
