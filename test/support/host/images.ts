// Images for real containers, built from the files of this machine, because tests have no access to a registry.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { DockerEngine } from "./docker.ts";

/** The dynamic linker and the libraries of a dynamic program, according to ldd(1). */
export function librariesOf(program: string): readonly string[] {
  const listed = spawnSync("ldd", [program], { encoding: "utf8" });
  if (listed.status !== 0) throw new Error(`ldd ${program}: ${listed.stderr}`);
  return [...listed.stdout.matchAll(/(?:^\s*|=> )(\/\S+) \(0x/gm)].map(([, path = ""]) => path);
}

/** The contents of an image. */
export type ImagePlan = {
  readonly name: string;
  /** Files: path on this machine by path in the image. */
  readonly files: Readonly<Record<string, string>>;
  /** Directories in addition to those of the files. */
  readonly directories?: readonly string[];
  /** Instructions for the image, such as `USER 1000`. */
  readonly changes?: readonly string[];
};

/** Creates an image that contains only these files. */
export function importImage(engine: DockerEngine, { name, files, directories = [], changes = [] }: ImagePlan): void {
  const root = mkdtempSync(join(tmpdir(), "outcall-image-"));
  try {
    chmodSync(root, 0o755);
    for (const directory of directories) mkdirSync(join(root, directory), { recursive: true });
    for (const [target, source] of Object.entries(files)) {
      mkdirSync(dirname(join(root, target)), { recursive: true });
      copyFileSync(source, join(root, target));
    }
    const archive = spawnSync("tar", ["-C", root, "-c", "."], { maxBuffer: 512 * 1024 * 1024 });
    if (archive.status !== 0) throw new Error(`tar ${root}: ${archive.stderr}`);
    engine.docker(["import", ...changes.flatMap((change) => ["-c", change]), "-", name], archive.stdout);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** The files of programs of this machine with their libraries, each at the same path. */
export function filesOf(programs: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(programs.flatMap((path) => [path, ...librariesOf(path)]).map((path) => [path, path]));
}
