// Programs and components of a target -> the directory that becomes its archive, with a checksum for every file.
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { OUTCALL } from "../../src/cli/program.ts";
import {
  formatBashCompletion,
  formatFishCompletion,
  formatZshCompletion,
} from "../../src/command/completion-scripts.ts";
import { VERSION } from "../../src/core/version.ts";
import { manPages } from "../man.ts";
import { type ProgramName, PROGRAMS, PROJECT } from "../project.ts";
import { formatBill } from "./bill-of-materials.ts";
import { type Component, sha256 } from "./components.ts";
import { licenceFiles } from "./licences.ts";

/** The contents of an archive. */
export type StageOptions = {
  /** The directory to fill; it must be new. */
  readonly directory: string;
  readonly target: string;
  /** The directory with the three programs. */
  readonly programs: string;
  readonly components: readonly Component[];
  /** Seconds since 1970. */
  readonly date: number;
  /** The version of the compiler. */
  readonly compiler: string;
};

/** Files that are copied unchanged: their path in the project and their path in the archive. */
const COPIED: readonly (readonly [from: string, to: string])[] = [
  ["README.md", "README.md"],
  ["CHANGELOG.md", "CHANGELOG.md"],
  ["LICENSE", "LICENSE"],
  ["docs", "docs"],
  ["examples", "examples"],
  ["scripts/release/archive/install.sh", "install.sh"],
  ["scripts/release/archive/outcalld.service", "systemd/outcalld.service"],
  ["scripts/release/archive/outcall.conf", "tmpfiles.d/outcall.conf"],
];

/** Fills the directory. */
export function stage({ directory, target, programs, components, date, compiler }: StageOptions): void {
  const copy = (from: string, to: string) => {
    mkdirSync(dirname(join(directory, to)), { recursive: true });
    cpSync(from, join(directory, to), { recursive: true });
  };
  for (const [from, to] of COPIED) copy(join(PROJECT, from), to);
  // Large files are symbolic links here; tar packs the files that they point to.
  mkdirSync(join(directory, "bin"));
  for (const program of PROGRAMS) symlinkSync(resolve(programs, program), join(directory, "bin", program));
  const hashes = new Map(PROGRAMS.map((program) => [program, hashOf(join(programs, program))] as const));
  const bill = formatBill({ version: VERSION, target, date, compiler, programs: hashes, components });
  const texts = new Map([
    ["VERSION", `${VERSION}\n`],
    ["sbom.cdx.json", bill],
    ["completions/outcall.bash", formatBashCompletion(OUTCALL)],
    ["completions/_outcall", formatZshCompletion(OUTCALL)],
    ["completions/outcall.fish", formatFishCompletion(OUTCALL)],
    ...[...manPages()].map(([name, text]) => [`man/man${name.slice(-1)}/${name}`, text] as const),
    ...licenceFiles(components),
  ]);
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  writeFileSync(join(directory, "SHA256SUMS"), formatSums(directory, hashes));
}

/** The lines of sha256sum(1) for all files below a directory. */
function formatSums(directory: string, known: ReadonlyMap<ProgramName, string>): string {
  const programs = new Map([...known].map(([name, hash]) => [`bin/${name}`, hash]));
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    !entry.isDirectory()
  );
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1)).sort();
  return paths.map((path) => `${programs.get(path) ?? hashOf(join(directory, path))}  ${path}\n`).join("");
}

function hashOf(path: string): string {
  return sha256(readFileSync(path));
}
