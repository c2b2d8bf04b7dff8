// Starts programs in turn, round after round, in a container. Prints how long each one took from its start to its exit.
import { spawnSync } from "node:child_process";

/** Which programs to start, and how often. */
export type Starts = { readonly commands: readonly (readonly string[])[]; readonly rounds: number };

if (import.meta.main) {
  const { commands, rounds }: Starts = JSON.parse(process.argv[2] ?? "");
  const taken = commands.map((): number[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, [program = "", ...args]] of commands.entries()) {
      const startMs = performance.now();
      const run = spawnSync(program, args, { stdio: "ignore" });
      if (run.status !== 0) throw new Error(`${program}: exit ${run.status}`);
      if (round > 0) taken[at]?.push(performance.now() - startMs);
    }
  }
  console.log(JSON.stringify(taken));
}
