// The third-party components of the programs, as far as they can be determined: packages, the runtime, the static
// libraries.
import { createHash } from "node:crypto";
import { globSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { locateBundledPackages } from "../bundled-packages.ts";
import { fail } from "../failure.ts";
import { entryOf, type ProgramName, PROGRAMS, PROJECT } from "../project.ts";
import type { Machine } from "../static-relink/machine.ts";
import { runTool } from "../static-relink/toolchain.ts";
import { runtimeIntegrity } from "./runtimes.ts";
import type { Target } from "./targets.ts";

/** A third-party component of a program. */
export type Component = {
  readonly name: string;
  readonly version: string;
  /** Its package URL. */
  readonly purl: string;
  /** An SPDX expression. */
  readonly licence: string;
  readonly hash: { readonly kind: "SHA-256" | "SHA-512"; readonly hex: string };
  /** The complete licence text, which must be distributed with the program. */
  readonly text: string;
  readonly programs: readonly ProgramName[];
};

/** The packages whose code is bundled, sorted by name. */
export function packageComponents(): readonly Component[] {
  const lock = readFileSync(join(PROJECT, "bun.lock"), "utf8");
  const found = new Map<string, ProgramName[]>();
  for (const program of PROGRAMS) {
    for (const { directory } of locateBundledPackages(entryOf(program))) {
      found.set(directory, [...found.get(directory) ?? [], program]);
    }
  }
  return [...found].sort(([one], [other]) => one < other ? -1 : 1).map(([directory, programs]) => {
    const { name, version, license } = readPackage(directory);
    return {
      name,
      version,
      purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
      licence: license,
      hash: { kind: "SHA-512", hex: lockedHash(lock, name, version) },
      text: licenceText(directory),
      programs,
    };
  });
}

/** The runtime of a target's programs; `runtime-parts.ts` lists what the runtime contains. */
export function runtimeComponent(target: Target, version: string, text: string): Component {
  return {
    name: "bun",
    version,
    purl: `pkg:npm/${target.runtimePackage.replace("@", "%40")}@${version}`,
    licence: "MIT",
    hash: { kind: "SHA-512", hex: Buffer.from(runtimeIntegrity(target), "base64").toString("hex") },
    text,
    programs: PROGRAMS,
  };
}

/** The libraries that the relinker links in, by Debian package. */
export function libraryComponents(machine: Machine): readonly Component[] {
  const libraries = [
    { file: "libc.a", name: "glibc", licence: "LGPL-2.1-or-later" },
    { file: "libgcc_eh.a", name: "libgcc", licence: "GPL-3.0-or-later WITH GCC-exception-3.1" },
  ];
  return libraries.map(({ file, name, licence }) => {
    const path = realpathSync(runTool(machine.compiler, [`-print-file-name=${file}`]).trim());
    const [owner = ""] = runTool("dpkg-query", ["-S", path]).split(": ");
    const asked = runTool("dpkg-query", ["-W", "-f", "${Package}|${Version}|${Architecture}|${source:Package}", owner]);
    const [debian = "", version = "", architecture = "", source = ""] = asked.split("|");
    return {
      name,
      version,
      purl: `pkg:deb/debian/${debian}@${encodeURIComponent(version)}?arch=${architecture}&upstream=${source}`,
      licence,
      hash: { kind: "SHA-256", hex: sha256(readFileSync(path)) },
      text: readFileSync(realpathSync(join("/usr/share/doc", debian, "copyright")), "utf8"),
      programs: PROGRAMS,
    };
  });
}

/** The SHA-256 of bytes, in hexadecimal. */
export function sha256(bytes: Buffer | string): string {
  return createHash("sha256").update(bytes).digest("hex");
}

type PackageFile = { readonly name: string; readonly version: string; readonly license: string };

function readPackage(directory: string): PackageFile {
  const read: Partial<PackageFile> = JSON.parse(readFileSync(join(PROJECT, directory, "package.json"), "utf8"));
  const { name, version, license } = read;
  if (name === undefined || version === undefined || typeof license !== "string") {
    return fail(`"${directory}/package.json" has no name, version or licence`);
  }
  return { name, version, license };
}

function lockedHash(lock: string, name: string, version: string): string {
  const line = lock.split("\n").find((each) => each.includes(`["${name}@${version}", `));
  const base64 = /"sha512-([^"]+)"\]/.exec(line ?? "")?.[1] ?? fail(`bun.lock has no hash for ${name}@${version}`);
  return Buffer.from(base64, "base64").toString("hex");
}

function licenceText(directory: string): string {
  const [path] = globSync("{licen[cs]e,LICEN[CS]E,COPYING}*", { cwd: join(PROJECT, directory) }).sort();
  if (path === undefined) return fail(`"${directory}" has no licence text`);
  return readFileSync(join(PROJECT, directory, path), "utf8");
}
