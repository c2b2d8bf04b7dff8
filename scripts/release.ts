// `bun run release [target...]`: makes the archives in `dist/release`, with their checksums.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { runMain } from "./failure.ts";
import { DIST, PROJECT } from "./project.ts";
import { buildPrograms, makeArchive, RELEASE_LEVEL, releaseDate } from "./release/make-archive.ts";
import { writeSums } from "./release/pack.ts";
import { requireTools } from "./release/requirements.ts";
import { fetchRuntimes, runtimeOf } from "./release/runtimes.ts";
import { chooseTargets, type Target } from "./release/targets.ts";

await runMain(async () => {
  const targets = chooseTargets(process.argv.slice(2));
  requireTools(targets.map(({ machine }) => machine));
  const date = releaseDate(process.env, PROJECT);
  fetchRuntimes();
  const output = join(DIST, "release");
  const work = join(output, ".work");
  rmSync(output, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  try {
    const names = targets.map((target) => {
      const programs = programsOf(target, work);
      const name = makeArchive({ target, programs, output, date, level: RELEASE_LEVEL });
      const path = join(output, name);
      console.log(`made ${relative(PROJECT, path)}, ${Math.round(statSync(path).size / 1e6)} MB`);
      return name;
    });
    await writeSums(output, names);
    console.log(`made ${relative(PROJECT, join(output, "SHA256SUMS"))}`);
    return 0;
  } finally {
    rmSync(work, { recursive: true });
  }
});

// Targets with the same runtime have the same programs, so those are built once.
function programsOf(target: Target, work: string): string {
  const runtime = createHash("sha256").update(readFileSync(runtimeOf(target).path)).digest("hex");
  const directory = join(work, runtime);
  if (mkdirSync(directory, { recursive: true }) !== undefined) buildPrograms(target, directory);
  return directory;
}
