// A target -> its archive in `dist/release`.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/core/version.ts";
import { buildProgram } from "../build-program.ts";
import { fail } from "../failure.ts";
import { entryOf, PROGRAMS, startOf, tuningOf } from "../project.ts";
import { runTool } from "../static-relink/toolchain.ts";
import { type Component, libraryComponents, packageComponents, runtimeComponent } from "./components.ts";
import { runtimeText } from "./licences.ts";
import { pack } from "./pack.ts";
import { LISTED_FOR } from "./runtime-parts.ts";
import { runtimeOf } from "./runtimes.ts";
import { stage } from "./stage.ts";
import type { Target } from "./targets.ts";

/** The gzip level of a release: a higher level takes twice the time and saves a third of a percent. */
export const RELEASE_LEVEL = 6;

/** The contents of an archive. */
export type ArchiveOptions = {
  readonly target: Target;
  /** The directory with the target's programs. */
  readonly programs: string;
  /** The directory for the archive. */
  readonly output: string;
  readonly date: number;
  readonly level: number;
};

/** Builds the three programs of a target; fails if one cannot be static. */
export function buildPrograms(target: Target, directory: string): void {
  for (const program of PROGRAMS) {
    buildProgram({
      entry: entryOf(program),
      output: join(directory, program),
      linkage: "static",
      start: startOf(program),
      runtime: runtimeOf(target),
      ...tuningOf(program),
    });
  }
}

/** Makes the archive and returns its name. */
export function makeArchive({ target, programs, output, date, level }: ArchiveOptions): string {
  const name = `outcall-${VERSION}-linux-${target.name}`;
  const directory = join(output, name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  try {
    stage({ directory, target: target.name, programs, components: componentsOf(target), date, compiler: Bun.version });
    return pack({ parent: output, name, date, level });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** All third-party components of a target's programs. */
export function componentsOf(target: Target): readonly Component[] {
  const version = Bun.version;
  if (version !== LISTED_FOR) {
    fail(`scripts/release/runtime-parts.ts lists the parts of Bun ${LISTED_FOR}; check it for Bun ${version}`);
  }
  const runtime = runtimeComponent(target, version, runtimeText(version));
  return [runtime, ...libraryComponents(target.machine), ...packageComponents()];
}

/** The date of every file in an archive, in seconds since 1970: `SOURCE_DATE_EPOCH`, or the date of the last commit. */
export function releaseDate(environment: NodeJS.ProcessEnv, project: string): number {
  const given = environment["SOURCE_DATE_EPOCH"] ?? runTool("git", ["-C", project, "log", "-1", "--format=%ct"]).trim();
  if (!/^\d{1,11}$/.test(given)) fail(`SOURCE_DATE_EPOCH must be a number of seconds, got "${given}"`);
  return Number(given);
}
